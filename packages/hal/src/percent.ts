const PLAIN = /^[\w.~-]*$/
const NOT_ENCODED = /[!'()*]/g
const NOT_RESERVED = /%(?![\dA-Fa-f]{2})|[^%\w.~\-:/?#[\]@!$&'()*+,;=]+/g

/**
 * Percent-encodes all but the unreserved characters of RFC 3986 §2.3. Lone surrogates become
 * U+FFFD.
 */
export function encodeUnreserved(text: string): string {
  if (PLAIN.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replace(NOT_ENCODED, percentEncode)
}

/** Percent-encodes all but reserved characters and existing triplets (`U+R` of RFC 6570 §1.5). */
export function encodeReserved(text: string): string {
  return text.toWellFormed().replace(NOT_RESERVED, encodeURIComponent)
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
