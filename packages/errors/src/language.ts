import { readWeighted } from './weight.ts'

/**
 * Chooses a language by Accept-Language: lookup of RFC 4647 §3.4, which shortens each range from its
 * end until one of our languages is met. The first of `languages` is the default.
 */
export function languageFor(acceptLanguage: string | undefined, languages: readonly string[]): string {
  const fallback = languages[0] ?? 'en'
  const wanted = (readWeighted(acceptLanguage) ?? []).filter(({ quality }) => quality > 0)
  wanted.sort((a, b) => b.quality - a.quality)
  for (const { value } of wanted) {
    if (value === '*') return fallback
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

/** Without the last subtag, and without a single letter that would then stand at the end. */
function shorten(range: string): string {
  const end = range.lastIndexOf('-')
  if (end === -1) return ''
  return range[end - 2] === '-' ? range.slice(0, end - 2) : range.slice(0, end)
}
