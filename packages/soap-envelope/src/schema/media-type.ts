import { getAttribute, type XmlElement } from '../xml/element.ts'
import { XMLMIME, XSD } from '../xml/names.ts'
import { findReference } from './components.ts'
import type { ComplexType } from './model.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'

/** `type/subtype` with parameters, in characters that a header may have. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *;[\x20-\x7e]*)?$/

/** Whether a text can be sent as the `Content-Type` of an attachment. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text)
}

/**
 * Returns the media type that `xmime:expectedContentTypes` of an element or its type names (W3C
 * Note "Describing Media Content of Binary Data in XML" §2): `undefined` unless it is exactly one,
 * without a wildcard.
 */
export function readExpectedType(source: Source, table: TypeTable): string | undefined {
  const text = readExpected(source.node) ?? readExpected(findTypeNode(source, table))
  if (text === undefined || text.includes('*') || text.includes(',')) return undefined
  const type = text.replace(/;\s*q=[^;]*/i, '').trim()
  return isMediaType(type) ? type : undefined
}

function readExpected(node: XmlElement | undefined): string | undefined {
  return node && getAttribute(node, XMLMIME, 'expectedContentTypes')
}

function findTypeNode(source: Source, { components }: TypeTable): XmlElement | undefined {
  const name = findReference(source, 'type')
  if (name) return components.find('type', name)?.node
  return source.node.children.find(({ uri, local }) => uri === XSD && /^(?:simple|complex)Type$/.test(local))
}

/**
 * Returns the property of `xmime:contentType`, the media type of the value itself, if the type has
 * it.
 */
export function findContentTypeKey({ attributes }: ComplexType): string | undefined {
  return attributes.find(({ uri, local }) => uri === XMLMIME && local === 'contentType')?.key
}
