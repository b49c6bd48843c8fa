import type { Language } from '../../messages/locale.ts'
import de from './notes/de.json' with { type: 'json' }
import en from './notes/en.json' with { type: 'json' }
import es from './notes/es.json' with { type: 'json' }
import fr from './notes/fr.json' with { type: 'json' }

type HeaderNotes = Readonly<Record<keyof typeof en, string>>

/** The purpose of each header, in every language. */
export const headerNotes: Readonly<Record<Language, HeaderNotes>> = { en, de, fr, es }

/** Groups of headers, in the order in which they are shown. The last one holds every other header. */
export const HEADER_GROUPS = ['content', 'caching', 'retries', 'identity', 'other'] as const

export type HeaderGroup = (typeof HEADER_GROUPS)[number]

const CACHING = /^(?:cache-|etag$|last-modified$|if-|vary$)/
const RETRIES = /ratelimit|^(?:retry-after|idempoten)/
const IDENTITY = /^(?:authorization|www-authenticate|x-correlation-id)$/

/** Returns the group of a header. Headers without a note are of no interest to most readers. */
export function groupHeader(name: string): HeaderGroup {
  if (!Object.hasOwn(en, name)) return 'other'
  if (CACHING.test(name)) return 'caching'
  if (RETRIES.test(name)) return 'retries'
  return IDENTITY.test(name) ? 'identity' : 'content'
}

/** Returns the purpose of a header. */
export function findNote(name: string, language: Language): string | undefined {
  const notes: Readonly<Record<string, string>> = headerNotes[language]
  return Object.hasOwn(notes, name) ? notes[name] : undefined
}
