import { parseWeightedList } from './weighted-list.ts'

/**
 * Selects a language by `Accept-Language` with the lookup of RFC 4647 §3.4, which shortens each
 * range until it equals a language. Falls back to the first of `languages`.
 */
export function selectLanguage(acceptLanguage: string | undefined, languages: readonly string[]): string {
  const fallback = languages[0] ?? 'en'
  const ranges = parseWeightedList(acceptLanguage) ?? []
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  const isRefused = (language: string): boolean =>
    ranges.some(({ value, quality }) => quality === 0 && value === language.toLowerCase())
  for (const { value } of accepted) {
    if (value === '*') return languages.find((language) => !isRefused(language)) ?? fallback
    for (let range = value; range !== ''; range = shorten(range)) {
      const match = languages.find((language) => language.toLowerCase() === range)
      if (match !== undefined) return match
    }
  }
  return fallback
}

/** Whether a value can be a language tag (RFC 5646 §2.1): letters, digits and hyphens. */
export function isLanguageTag(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9-]+$/.test(value)
}

/** Removes the last subtag, and a single letter before it. */
function shorten(range: string): string {
  const end = range.lastIndexOf('-')
  if (end === -1) return ''
  return range[end - 2] === '-' ? range.slice(0, end - 2) : range.slice(0, end)
}
