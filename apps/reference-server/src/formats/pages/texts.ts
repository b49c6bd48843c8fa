import { byLanguage, type Language, numberIn } from '../../messages/locale.ts'
import type { MessageLabels } from './assets/messages.js'
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

// In the order of the page. The last one contains every other header.
const GROUPS = ['content', 'caching', 'retries', 'identity', 'other'] as const
const WORDS = ['request', 'response', 'byteCount', 'milliseconds'] as const
const CACHING = /^(?:cache-|etag$|last-modified$|if-|vary$)/
const RETRIES = /ratelimit|^(?:retry-after|idempoten)/
const IDENTITY = /^(?:authorization|www-authenticate|x-correlation-id)$/

/** The words of requests and responses, for the pages and for their scripts. */
export const messageLabels = byLanguage((language) => {
  const notes = Object.entries(headerNotes[language]).map(([name, note]) => [name, [groupHeader(name), note]])
  const groups = GROUPS.map((group) => [group, text(language, `group.${group}`)])
  const words = WORDS.map((key) => [key, text(language, key)])
  return {
    notes: Object.fromEntries(notes),
    groups: Object.fromEntries(groups),
    words: Object.fromEntries(words),
  } satisfies MessageLabels
})

// Headers without a note are of no interest to most readers.
function groupHeader(name: string): (typeof GROUPS)[number] {
  if (CACHING.test(name)) return 'caching'
  if (RETRIES.test(name)) return 'retries'
  return IDENTITY.test(name) ? 'identity' : 'content'
}
