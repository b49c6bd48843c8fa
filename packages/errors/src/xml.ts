const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
// Everything that XML 1.0 2.2 does not allow, lone surrogates included: a writer must not pass it on.
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/** Writes a value as an XML document: objects nested by member name, lists as elements `i` (RFC 9457 appendix B). */
export function toXml(root: string, value: object, namespace?: string): string {
  const scope = namespace === undefined ? '' : ` xmlns="${escapeXml(namespace)}"`
  return `${DECLARATION}<${root}${scope}>${content(value)}</${root}>`
}

function content(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element('i', item)).join('')
  if (typeof value !== 'object' || value === null) return escapeXml(String(value ?? ''))
  return Object.entries(value)
    .filter(([name, member]) => member !== undefined && member !== null && NAME.test(name))
    .map(([name, member]) => element(name, member))
    .join('')
}

function element(name: string, value: unknown): string {
  return `<${name}>${content(value)}</${name}>`
}

/** Text as it may stand in XML and HTML, in an element and in an attribute. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"'\r]/g, (char) => `&#${char.charCodeAt(0)};`)
}
