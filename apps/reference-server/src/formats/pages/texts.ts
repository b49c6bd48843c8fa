import { type Language, numberIn } from '../../messages/locale.ts'
import deNotes from './notes/de.json' with { type: 'json' }
import enNotes from './notes/en.json' with { type: 'json' }
import esNotes from './notes/es.json' with { type: 'json' }
import frNotes from './notes/fr.json' with { type: 'json' }
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }

export type Values = Readonly<Record<string, string | number>>

/** Texts by their keys, the same keys in every language. */
export type TextCatalog<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>

export type TextKey = keyof typeof en

export const catalog: TextCatalog<TextKey> = { en, de, fr, es }

/** Returns a text of the pages in a language with its `{names}` replaced. */
export const text = texts(catalog)

export function texts<K extends string>(from: TextCatalog<K>): (language: Language, key: K, values?: Values) => string {
  return (language, key, values = {}) =>
    from[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? whole
      return typeof value === 'number' ? numberIn(language, value) : value
    })
}

export const headerNotes: TextCatalog<keyof typeof enNotes> = { en: enNotes, de: deNotes, fr: frNotes, es: esNotes }

/** Groups of headers, in the order of the page. The last one contains every other header. */
export const HEADER_GROUPS = ['content', 'caching', 'retries', 'identity', 'other'] as const

export type HeaderGroup = (typeof HEADER_GROUPS)[number]

const CACHING = /^(?:cache-|etag$|last-modified$|if-|vary$)/
const RETRIES = /ratelimit|^(?:retry-after|idempoten)/
const IDENTITY = /^(?:authorization|www-authenticate|x-correlation-id)$/

/** Returns the group of a header. Headers without a note are of no interest to most readers. */
export function groupHeader(name: string): HeaderGroup {
  if (!Object.hasOwn(enNotes, name)) return 'other'
  if (CACHING.test(name)) return 'caching'
  if (RETRIES.test(name)) return 'retries'
  return IDENTITY.test(name) ? 'identity' : 'content'
}

export function findNote(name: string, language: Language): string | undefined {
  const notes: Readonly<Record<string, string>> = headerNotes[language]
  return Object.hasOwn(notes, name) ? notes[name] : undefined
}
