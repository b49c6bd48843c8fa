import type { XmlElement } from '../xml/element.ts'
import type { Identifiers } from './identifiers.ts'
import type { ElementDeclaration } from './model.ts'
import { Invalid, readSimple, type SimpleType } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'
import { violation } from './violation.ts'

/** State of the decoding of one element with all that is in it. */
export interface Decoding {
  readonly table: TypeTable
  /** Set if the schema has types of `xs:ID` or `xs:IDREF`. */
  readonly ids?: Identifiers | undefined
}

type Preset = Pick<ElementDeclaration, 'default' | 'fixed'>

/** Reads the text of an element, or its default. Throws a fault ValidationFailed. */
export function decodeText(node: XmlElement, type: SimpleType, declaration: Preset, { ids }: Decoding): unknown {
  const { text, bytes } = node
  const { default: preset, fixed } = declaration
  // An attachment takes the place of the text.
  const isEmpty = text === '' && bytes === undefined
  const value = readSimple(type, isEmpty ? (preset ?? fixed ?? '') : text, node)
  if (value instanceof Invalid) throw violation(node, value.reason)
  if (fixed !== undefined && !isEmpty && !isFixed(value, fixed, type, node))
    throw violation(node, 'does not have the fixed value')
  ids?.note(node, type, value)
  return value
}

/** Returns the text of an element, or its default if it is empty. */
export function getText(node: XmlElement, { default: preset, fixed }: Preset): string {
  return node.text === '' && node.bytes === undefined ? (preset ?? fixed ?? '') : node.text
}

/** Whether a value is the one that a declaration fixes, however either is spelled. */
export function isFixed(value: unknown, fixed: string, type: SimpleType, node: XmlElement): boolean {
  return isSame(value, readSimple(type, fixed, node), type)
}

/**
 * Whether a text to write is the value that a declaration fixes. An empty one is read as that
 * value. Names are not compared: their prefixes have other scopes.
 */
export function isFixedText(text: string, fixed: string, type: SimpleType): boolean {
  if (text === fixed || text === '') return true
  const value = readSimple(type, text)
  const wanted = readSimple(type, fixed)
  return value instanceof Invalid || wanted instanceof Invalid || isSame(value, wanted, type)
}

function isSame(value: unknown, wanted: unknown, { compare, format }: SimpleType): boolean {
  return compare ? compare(value, wanted) === 0 : String(format(value)) === String(format(wanted))
}
