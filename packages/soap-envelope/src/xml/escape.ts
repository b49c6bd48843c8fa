// What cannot stand as it is: markup, CR (which readers turn into LF), characters that XML 1.0 2.2 excludes, and
// surrogates, which are looked at one by one.
const IN_TEXT = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/
const IN_ATTRIBUTE = /[&<>"\t\n\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * A text as it stands between tags. Whatever it holds, the result is well-formed: characters that XML 1.0 cannot
 * carry (controls, lone surrogates, U+FFFE, U+FFFF) become U+FFFD.
 */
export function escapeText(text: string): string {
  const first = text.search(IN_TEXT)
  return first === -1 ? text : escapeFrom(text, first, false)
}

/** A text as it stands in an attribute between double quotes; white space is kept by references. */
export function escapeAttribute(text: string): string {
  const first = text.search(IN_ATTRIBUTE)
  return first === -1 ? text : escapeFrom(text, first, true)
}

function escapeFrom(text: string, first: number, quoted: boolean): string {
  let out = ''
  let start = 0
  for (let at = first; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char >= 0xd800 && char <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      at++
      continue
    }
    const escaped = escapeOf(char, quoted)
    if (escaped === undefined) continue
    out += text.slice(start, at) + escaped
    start = at + 1
  }
  return out + text.slice(start)
}

function escapeOf(char: number, quoted: boolean): string | undefined {
  if (char === 0x26) return '&amp;'
  if (char === 0x3c) return '&lt;'
  if (char === 0x3e) return '&gt;'
  if (char === 0x0d) return '&#xD;'
  if (char === 0x22) return quoted ? '&quot;' : undefined
  if (char === 0x09) return quoted ? '&#x9;' : undefined
  if (char === 0x0a) return quoted ? '&#xA;' : undefined
  if (char < 0x20 || (char >= 0xd800 && char <= 0xdfff) || char === 0xfffe || char === 0xffff) return '\ufffd'
  return undefined
}

function isLowSurrogate(char: number): boolean {
  return char >= 0xdc00 && char <= 0xdfff
}
