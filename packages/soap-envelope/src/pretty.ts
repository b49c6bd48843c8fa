import { assertType } from '../../internal/options.ts'
import { escapeAttribute, escapeText } from '../../internal/xml-escape.ts'
import { isBlank, type XmlElement } from './xml/element.ts'
import { DOCUMENT_LIMITS } from './xml/limits.ts'
import { treeReader } from './xml/tree.ts'

/**
 * Formats an XML document with one element per line. Text of elements without children is
 * unchanged; comments are omitted. Throws a `SoapFault` if the document is not well-formed.
 */
export function prettyXml(xml: string, indent = '  '): string {
  assertType('soap-envelope: prettyXml', 'xml', xml, 'string')
  assertType('soap-envelope: prettyXml', 'indent', indent, 'string')
  const reader = treeReader({ limits: DOCUMENT_LIMITS })
  reader.write(xml)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatLine(reader.end(), '', indent)}\n`
}

function formatLine(element: XmlElement, before: string, indent: string): string {
  const name = element.prefix === '' ? element.local : `${element.prefix}:${element.local}`
  const attributes = [...element.declarations, ...element.attributes]
    .map(({ prefix, local, value }) => ` ${prefix === '' ? local : `${prefix}:${local}`}="${escapeAttribute(value)}"`)
    .join('')
  const { children, text } = element
  if (children.length === 0)
    return text === ''
      ? `${before}<${name}${attributes}/>`
      : `${before}<${name}${attributes}>${escapeText(text)}</${name}>`
  const lines = children.map((child) => formatLine(child, before + indent, indent))
  // Text between elements is moved before them.
  if (!isBlank(text)) lines.unshift(`${before}${indent}${escapeText(text.trim())}`)
  return [`${before}<${name}${attributes}>`, ...lines, `${before}</${name}>`].join('\n')
}
