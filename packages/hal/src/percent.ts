const PLAIN = /^[\w.~-]*$/
const LEFT_ALONE = /[!'()*]/g
const NOT_RESERVED = /%(?![\dA-Fa-f]{2})|[^%\w.~\-:/?#[\]@!$&'()*+,;=]+/g

/**
 * Percent-encodes everything but the unreserved characters of RFC 3986 §2.3. Lone surrogates become
 * U+FFFD.
 */
export function encodeUnreserved(text: string): string {
  if (PLAIN.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replace(LEFT_ALONE, percent)
}

/**
 * Keeps reserved characters and existing triplets as they are and percent-encodes the rest (RFC
 * 6570 1.5, `U+R`).
 */
export function encodeReserved(text: string): string {
  return text.toWellFormed().replace(NOT_RESERVED, encodeURIComponent)
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
