import type { XmlElement } from '../xml/element.ts'
import { isSameName, type QName } from '../xml/names.ts'
import { decodeElement } from './decode.ts'
import { createEncoder } from './encode.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  type ElementParticle,
  elementContent,
  type GroupParticle,
  type Particle,
} from './model.ts'
import type { TypeTable } from './type-table.ts'

/** Decodes and encodes the repeated element at the end of an element item by item. */
export interface ListCodec {
  /** Property with the items. */
  readonly key: string
  /** Name of the repeated element. */
  readonly item: QName
  /** Minimum number of items in the schema. */
  readonly min: number
  readonly max: number
  /**
   * Decodes the element without its items. Throws a `SoapFault` `ValidationFailed` if it is
   * invalid.
   */
  decode(element: XmlElement): Record<string, unknown>
  decodeItem(element: XmlElement): unknown
  /** Returns the XML before and after the items. Throws a `TypeError` if a value is invalid. */
  encode(value: unknown): { open: string; close: string }
  encodeItem(value: unknown): string
}

/**
 * Returns the codec of an element whose type is a sequence with one repeated element at its end;
 * `undefined` for any other, whose items cannot be distinguished from what follows.
 */
export function createListCodec(
  declaration: ElementDeclaration,
  namespaces: string,
  table: TypeTable,
): ListCodec | undefined {
  const { type } = declaration
  if (type.kind !== 'complex' || type.content.kind !== 'elements' || declaration.constraints.length > 0)
    return undefined
  const { particle } = type.content
  const list = particle.members.at(-1)
  if (particle.kind !== 'sequence' || particle.max !== 1 || !isList(list)) return undefined
  const withoutItems = { ...declaration, type: withoutList(type, particle, list) }
  const { tag } = declaration
  const encodeAround = createEncoder(withoutItems, namespaces, table)
  return {
    key: list.key,
    item: { uri: list.element.uri, local: list.element.local },
    min: list.min,
    max: list.max,
    decode: (element) => decodeElement(element, withoutItems, { table }) as Record<string, unknown>,
    decodeItem: (element) => decodeElement(element, list.element, { table }),
    encode: (value) => {
      const text = encodeAround(value)
      const close = `</${tag}>`
      return { open: text.endsWith('/>') ? `${text.slice(0, -2)}>` : text.slice(0, -close.length), close }
    },
    encodeItem: createEncoder(list.element, '', table),
  }
}

function isList(particle: Particle | undefined): particle is ElementParticle {
  return particle?.kind === 'element' && particle.max > 1
}

/** The same type with none of the items, so that the elements around them are checked. */
function withoutList(type: ComplexType, particle: GroupParticle, list: ElementParticle): ComplexType {
  const members = particle.members.map((member) => (member === list ? { ...list, min: 0, max: 0 } : member))
  const lists = particle.lists.filter((key) => key !== list.key)
  return { ...type, content: elementContent({ ...particle, members, lists }, lists) }
}

/** Whether an element is an item of a list. */
export function isItem(element: XmlElement, { item }: ListCodec): boolean {
  return isSameName(element, item)
}
