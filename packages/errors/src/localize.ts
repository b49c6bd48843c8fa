import type { Classification } from './classify.ts'
import type { ErrorEntry } from './issues.ts'

/** Translates: `undefined` leaves a text as it is. */
export type Localize = (code: string, language: string, params: Readonly<Record<string, unknown>>) => string | undefined

/** The same facts with their texts in a language. */
export function localized(facts: Classification, language: string, localize: Localize): Classification {
  const message = textOr(localize(facts.code, language, facts.params ?? {}), facts.message)
  const errors = facts.errors?.map((entry) => localizedEntry(entry, language, localize))
  return { ...facts, message, errors }
}

function localizedEntry(entry: ErrorEntry, language: string, localize: Localize): ErrorEntry {
  const { pointer, location, field, detail, params } = entry
  const values = { ...params, pointer, location, field, detail }
  return { ...entry, detail: textOr(localize(entry.code, language, values), detail) }
}

function textOr(text: unknown, otherwise: string): string {
  return typeof text === 'string' ? text : otherwise
}
