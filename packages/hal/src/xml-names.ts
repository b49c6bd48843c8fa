import { escapeAttribute } from '../../internal/xml-escape.ts'

const NOT_IN_NAME = /[^-.\w\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u3001-\uD7FF]/gu
const NOT_AT_START = /^[-.\d\u00B7\u0300-\u036F]/

/** Formats attributes, each after a space; absent ones are omitted. */
export function formatAttributes(attributes: Readonly<Record<string, string | boolean | undefined>>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`
  }
  return text
}

/**
 * Returns an element name for a key: characters that a name without prefix cannot have become `_`.
 */
export function toElementName(key: string): string {
  const name = key.replace(NOT_IN_NAME, '_')
  return name === '' || NOT_AT_START.test(name) ? `_${name}` : name
}
