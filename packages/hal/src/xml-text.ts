// XML 1.0 2.2: what is outside of these ranges cannot stand in a document, not even as a reference.
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const IN_TEXT = /[&<>\r]/g
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g
const NOT_IN_NAME = /[^-.\w\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u3001-\uD7FF]/gu
const NOT_AT_START = /^[-.\d\u00B7\u0300-\u036F]/

const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' },
}

/** Text as content of an element. Characters that XML does not know become U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(IN_TEXT, (character) => REFERENCES[character] ?? '')
}

/** Attributes as they stand in a tag, each with a space before it; absent ones are left out. */
export function xmlAttributes(attributes: Readonly<Record<string, string | boolean | undefined>>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const clean = String(value).replace(FORBIDDEN, '\uFFFD')
    text += ` ${name}="${clean.replace(IN_ATTRIBUTE, (character) => REFERENCES[character] ?? '')}"`
  }
  return text
}

/** An element name made of a key: characters that no name without prefix may have become `_`. */
export function xmlName(key: string): string {
  const name = key.replace(NOT_IN_NAME, '_')
  return name === '' || NOT_AT_START.test(name) ? `_${name}` : name
}
