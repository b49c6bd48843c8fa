import { escapeAttribute, escapeText } from '../../internal/xml-escape.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/**
 * Formats a value as an XML document: objects as nested elements, lists as elements `i` (RFC 9457
 * appendix B). An object with `toJSON` is formatted as what that returns, as in JSON.
 */
export function toXml(root: string, value: object, namespace?: string): string {
  const scope = namespace === undefined ? '' : ` xmlns="${escapeAttribute(namespace)}"`
  return `${DECLARATION}<${root}${scope}>${formatContent(value)}</${root}>`
}

function formatContent(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => formatElement('i', item)).join('')
  if (isOmitted(value)) return ''
  if (typeof value !== 'object' || value === null) return escapeText(String(value))
  if ('toJSON' in value && typeof value.toJSON === 'function') return formatContent(value.toJSON())
  return Object.entries(value)
    .filter(([name, member]) => !isOmitted(member) && NAME.test(name))
    .map(([name, member]) => formatElement(name, member))
    .join('')
}

/** Whether JSON has no such value, or null. */
function isOmitted(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return value === undefined || value === null || typeof value === 'function' || typeof value === 'symbol'
}

function formatElement(name: string, value: unknown): string {
  return `<${name}>${formatContent(value)}</${name}>`
}
