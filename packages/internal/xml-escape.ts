// Markup, CR (which readers turn into LF), characters that XML 1.0 §2.2 excludes, and surrogates,
// which are checked one by one.
const IN_TEXT = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/
const IN_ATTRIBUTE = /[&<>"\t\n\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * Escapes text between tags. The result is always well-formed: characters that XML 1.0 does not
 * allow (controls, lone surrogates, U+FFFE, U+FFFF) become U+FFFD.
 */
export function escapeText(text: string): string {
  const first = text.search(IN_TEXT)
  return first === -1 ? text : escapeFrom(text, first, false)
}

/**
 * Escapes an attribute value between double quotes; white space is preserved by character
 * references.
 */
export function escapeAttribute(text: string): string {
  const first = text.search(IN_ATTRIBUTE)
  return first === -1 ? text : escapeFrom(text, first, true)
}

function escapeFrom(text: string, first: number, isAttribute: boolean): string {
  let out = ''
  let start = 0
  for (let index = first; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char > 0x3e && char < 0xd800) continue
    if ((char & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      index++ // a pair of surrogates
      continue
    }
    const escaped = escapeCharacter(char, isAttribute)
    if (escaped === undefined) continue
    out += text.slice(start, index) + escaped
    start = index + 1
  }
  return out + text.slice(start)
}

function escapeCharacter(char: number, isAttribute: boolean): string | undefined {
  if (char === 0x26) return '&amp;'
  if (char === 0x3c) return '&lt;'
  if (char === 0x3e) return '&gt;'
  if (char === 0x0d) return '&#xD;'
  if (char === 0x22) return isAttribute ? '&quot;' : undefined
  if (char === 0x09) return isAttribute ? '&#x9;' : undefined
  if (char === 0x0a) return isAttribute ? '&#xA;' : undefined
  if (char < 0x20 || (char >= 0xd800 && char <= 0xdfff) || char > 0xfffd) return '\ufffd'
  return undefined
}
