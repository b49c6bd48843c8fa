import type { Classification } from './classification.ts'
import type { ErrorEntry } from './issues.ts'

/** Translates: `undefined` leaves a text as it is. */
export type Localize = (code: string, language: string, params: Readonly<Record<string, unknown>>) => string | undefined

/** The same classification with their texts in a language. */
export function localized(classification: Classification, language: string, localize: Localize): Classification {
  const message = textOr(localize(classification.code, language, classification.params ?? {}), classification.message)
  const errors = classification.errors?.map((entry) => localizedEntry(entry, language, localize))
  return { ...classification, message, errors }
}

function localizedEntry(entry: ErrorEntry, language: string, localize: Localize): ErrorEntry {
  const { pointer, location, field, detail, params } = entry
  const values = { ...params, pointer, location, field, detail }
  return { ...entry, detail: textOr(localize(entry.code, language, values), detail) }
}

function textOr(text: unknown, otherwise: string): string {
  return typeof text === 'string' ? text : otherwise
}
