import type { XmlAttribute, XmlElement } from '../xml/element.ts'
import { escapeAttribute, escapeText } from '../xml/escape.ts'

/**
 * Writes an element that was read, and what is in it, so that it stands alone: each element says its own namespace.
 * Text between children is left out. Throws a TypeError on what is no element.
 */
export function writeElement(value: unknown): string {
  if (!isElement(value)) throw new TypeError('an element of a wildcard must be one that was read')
  const { uri, local, attributes, children, text } = value
  const fields = attributes.map((attribute, at) => writeAttribute(attribute, at)).join('')
  const inner = children.length > 0 ? children.map(writeElement).join('') : escapeText(text)
  return `<${local} xmlns="${escapeAttribute(uri)}"${fields}>${inner}</${local}>`
}

function writeAttribute({ uri, local, prefix, value }: XmlAttribute, at: number): string {
  if (uri === '') return ` ${local}="${escapeAttribute(value)}"`
  if (prefix === 'xml') return ` xml:${local}="${escapeAttribute(value)}"`
  return ` xmlns:a${at}="${escapeAttribute(uri)}" a${at}:${local}="${escapeAttribute(value)}"`
}

function isElement(value: unknown): value is XmlElement {
  const element = value as Partial<XmlElement> | null
  return typeof element?.uri === 'string' && typeof element.local === 'string' && Array.isArray(element.children)
}
