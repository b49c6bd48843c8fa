import { getAttribute, type XmlAttribute, type XmlElement } from '../xml/element.ts'
import { SOAP11, SOAP12, WSU, XSI } from '../xml/names.ts'
import { type Decoding, isFixed } from './decode-simple.ts'
import type { ComplexType, Wildcard } from './model.ts'
import { Invalid, readSimple } from './simple-type.ts'
import { violation } from './violation.ts'

const NO_ATTRIBUTES: readonly XmlAttribute[] = []

/** Reads the attributes of an element. Throws a fault ValidationFailed. */
export function decodeAttributes(
  node: XmlElement,
  type: ComplexType,
  values: Record<string, unknown>,
  decoding: Decoding,
): void {
  const others = rejectAttributes(node, type)
  if (others.length > 0) {
    for (const attribute of others) checkAttribute(node, attribute, type.anyAttribute, decoding)
    values['@any'] = others.map(({ uri, local, value }) => ({ uri, local, value }))
  }
  for (const use of type.attributes) {
    const text = getAttribute(node, use.uri, use.local) ?? use.default ?? (use.required ? undefined : use.fixed)
    if (text === undefined) {
      if (use.required) throw violation(node, `has no attribute ${use.local}`)
      continue
    }
    const value = readSimple(use.type, text, node)
    if (value instanceof Invalid) throw violation(node, `has an attribute ${use.local} that ${value.reason}`)
    if (use.fixed !== undefined && !isFixed(value, use.fixed, use.type, node))
      throw violation(node, `has an attribute ${use.local} without its fixed value`)
    decoding.ids?.note(node, use.type, value)
    values[use.key] = value
  }
}

/**
 * Rejects attributes that the type does not have. Attributes of XSI, and encodingStyle, which the
 * rules of the envelope check, are allowed anywhere. Returns those that a wildcard lets in.
 */
export function rejectAttributes(node: XmlElement, type?: ComplexType): readonly XmlAttribute[] {
  let others = NO_ATTRIBUTES
  for (const attribute of node.attributes) {
    const { uri, local } = attribute
    if (uri === XSI && /^(type|nil|schemaLocation|noNamespaceSchemaLocation)$/.test(local)) continue
    if (isEnvelopeAttribute(attribute, node)) continue
    if (type?.attributes.some((use) => use.local === local && use.uri === uri)) continue
    if (!type?.anyAttribute?.allows(uri)) throw violation(node, `has an attribute ${local} that is not expected`)
    if (others === NO_ATTRIBUTES) others = []
    ;(others as XmlAttribute[]).push(attribute)
  }
  return others
}

/**
 * Attributes of SOAP on a header block, and `wsu:Id`, say how it is processed; encodingStyle may be
 * on any element.
 */
function isEnvelopeAttribute({ uri, local }: XmlAttribute, { parent }: XmlElement): boolean {
  const isSoap = uri === SOAP12 || uri === SOAP11
  if (isSoap && local === 'encodingStyle') return true
  const isBlock = parent !== undefined && parent.local === 'Header' && (parent.uri === SOAP12 || parent.uri === SOAP11)
  return isBlock && (isSoap ? /^(mustUnderstand|role|actor|relay)$/.test(local) : uri === WSU && local === 'Id')
}

/** Checks an attribute that a wildcard lets in against its declaration, if there is one. */
function checkAttribute(
  node: XmlElement,
  attribute: XmlAttribute,
  wildcard: Wildcard | undefined,
  { table, ids }: Decoding,
): void {
  const source = wildcard?.process === 'skip' ? undefined : table.components.find('attribute', attribute)
  if (source) {
    const type = table.simpleTypeOf(source)
    const value = readSimple(type, attribute.value, node)
    if (value instanceof Invalid) throw violation(node, `has an attribute ${attribute.local} that ${value.reason}`)
    ids?.note(node, type, value)
  } else if (wildcard?.process === 'strict') {
    throw violation(node, `has an attribute ${attribute.local} that is not declared`)
  }
}
