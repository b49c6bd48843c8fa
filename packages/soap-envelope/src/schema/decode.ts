import { type SoapFault, senderFault } from '../fault.ts'
import {
  attributeOf,
  contentOf,
  isBlank,
  pathOf,
  resolveQName,
  type XmlAttribute,
  type XmlElement,
} from '../xml/element.ts'
import { clark, type QName, SOAP11, SOAP12, WSU, XSI } from '../xml/names.ts'
import { checkConstraints } from './identity.ts'
import { Invalid } from './invalid.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  type GroupParticle,
  isDerivedFrom,
  isEmptiable,
  isUntyped,
  type Particle,
  startsWith,
  type Type,
  type Wildcard,
} from './model.ts'
import { readSimple, type SimpleType } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'

type Values = Record<string, unknown>

/**
 * Reads an element as the value that its declaration says. Throws a fault ValidationFailed with the path, not the
 * value.
 */
export function decodeElement(node: XmlElement, declaration: ElementDeclaration, table: TypeTable): unknown {
  const hasAttributes = node.attributes.length > 0
  const type = hasAttributes ? actualType(node, declaration, table) : declaration.type
  if (hasAttributes && isNil(node)) {
    if (!declaration.nillable) throw violation(node, 'must not be nil')
    if (node.children.length > 0 || node.text !== '') throw violation(node, 'is nil and not empty')
    return null
  }
  if (declaration.abstract) throw violation(node, 'is abstract')
  if (node.bytes !== undefined && !holdsBase64(type)) throw violation(node, 'must not be an attachment')
  const value =
    type.kind === 'complex' ? decodeTyped(node, type, declaration, table) : decodeSimple(node, type, declaration)
  if (declaration.constraints.length > 0) {
    const wrong = checkConstraints(node, declaration.constraints)
    if (wrong !== undefined) throw violation(node, wrong)
  }
  return value
}

/** Only a value in Base64 may be an attachment of a message with XOP. */
function holdsBase64(type: Type): boolean {
  if (type.kind === 'simple') return type.isBase64
  return type.content.kind === 'simple' && type.content.type.isBase64
}

function decodeTyped(node: XmlElement, type: ComplexType, declaration: ElementDeclaration, table: TypeTable): unknown {
  const values = decodeComplex(node, type, table, declaration)
  if (type !== declaration.type && type.name) values['$type'] = typeNameOf(type.name, declaration)
  // An element without a type that holds text only is its text.
  else if (isUntyped(type) && node.children.length === 0 && !('@any' in values)) return node.text
  return values
}

function decodeSimple(node: XmlElement, type: SimpleType, declaration: ElementDeclaration): unknown {
  if (node.children.length > 0) throw violation(node, 'must contain only text')
  if (node.attributes.length > 0) refuseAttributes(node)
  const value = decodeText(node, type, declaration)
  return type !== declaration.type && isUntyped(declaration.type) ? { $type: typeNameIn(node), value } : value
}

/** The name in an `xsi:type` that was checked before. */
function typeNameIn(node: XmlElement): string {
  const name = resolveQName(node, attributeOf(node, XSI, 'type') ?? '')
  return name ? clark(name) : ''
}

/** The type that `xsi:type` names: the declared one, or one derived from it (XSD part 1, 3.3.4). */
function actualType(node: XmlElement, declaration: ElementDeclaration, table: TypeTable): Type {
  const text = attributeOf(node, XSI, 'type')
  if (text === undefined) return declaration.type
  const name = resolveQName(node, text)
  const type = name && table.find(name)
  const { type: declared, block } = declaration
  const blocked =
    declared.kind === 'complex' && declared.block.size > 0 ? new Set([...block, ...declared.block]) : block
  if (!type || !isDerivedFrom(type, declared, blocked)) throw violation(node, 'has an xsi:type that does not go here')
  return type
}

/** What a value says of its type where it is not the declared one: a local name, with the namespace if that differs. */
function typeNameOf(name: QName, { type }: ElementDeclaration): string {
  return type.kind === 'complex' && type.name?.uri === name.uri ? name.local : clark(name)
}

function isNil(node: XmlElement): boolean {
  const text = attributeOf(node, XSI, 'nil')?.trim()
  if (text === undefined || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw violation(node, 'has an xsi:nil that is no boolean')
}

function decodeText(node: XmlElement, type: SimpleType, declaration?: ElementDeclaration): unknown {
  const preset = node.text === '' ? (declaration?.default ?? declaration?.fixed) : undefined
  const value = readSimple(type, preset ?? node.text, node)
  if (value instanceof Invalid) throw violation(node, value.reason)
  if (declaration?.fixed !== undefined && node.text !== '' && !isFixed(value, declaration.fixed, type, node))
    throw violation(node, 'has not the fixed value')
  return value
}

/** Whether a value is the one that a declaration fixes, however either is spelled. */
function isFixed(value: unknown, fixed: string, type: SimpleType, node: XmlElement): boolean {
  const wanted = readSimple(type, fixed, node)
  return type.compare ? type.compare(value, wanted) === 0 : String(type.format(value)) === String(type.format(wanted))
}

function decodeComplex(
  node: XmlElement,
  type: ComplexType,
  table: TypeTable,
  declaration?: ElementDeclaration,
): Values {
  if (type.abstract) throw violation(node, 'is of an abstract type: xsi:type must name one')
  const { content } = type
  const values: Values = {}
  if (type.attributes.length > 0 || node.attributes.length > 0) decodeAttributes(node, type, values, table)
  if (content.kind === 'simple') {
    if (node.children.length > 0) throw violation(node, 'must contain only text')
    values['value'] = decodeText(node, content.type, declaration)
    return values
  }
  if (content.kind === 'mixed') {
    checkChildren(node, content.particle, table)
    values['content'] = contentOf(node)
    return values
  }
  if (!isBlank(node.text)) throw violation(node, 'must not hold text')
  let next = 0
  if (content.kind === 'elements') {
    for (const key of content.lists) values[key] = []
    next = decodeParticle(content.particle, node, 0, values, table)
  }
  const extra = node.children[next]
  if (extra) throw violation(extra, 'is not expected here')
  return values
}

/** Checks the elements in mixed content; their values are not kept. */
export function checkChildren(node: XmlElement, particle: GroupParticle | undefined, table: TypeTable): void {
  const values: Values = {}
  for (const key of particle?.lists ?? []) values[key] = []
  if (particle && particle.key !== '') values[particle.key] = []
  const next = particle ? decodeParticle(particle, node, 0, values, table) : 0
  const extra = node.children[next]
  if (extra) throw violation(extra, 'is not expected here')
}

function decodeAttributes(node: XmlElement, type: ComplexType, values: Values, table: TypeTable): void {
  const others = refuseAttributes(node, type)
  if (others.length > 0) {
    for (const attribute of others) checkAttribute(node, attribute, type.anyAttribute, table)
    values['@any'] = others.map(({ uri, local, value }) => ({ uri, local, value }))
  }
  for (const use of type.attributes) {
    const text = attributeOf(node, use.uri, use.local) ?? use.default ?? (use.required ? undefined : use.fixed)
    if (text === undefined) {
      if (use.required) throw violation(node, `has no attribute ${use.local}`)
      continue
    }
    const value = readSimple(use.type, text, node)
    if (value instanceof Invalid) throw violation(node, `has an attribute ${use.local} that ${value.reason}`)
    if (use.fixed !== undefined && !isFixed(value, use.fixed, use.type, node))
      throw violation(node, `has an attribute ${use.local} without its fixed value`)
    values[use.key] = value
  }
}

/**
 * Rejects attributes that the type does not have. Attributes of XSI, and encodingStyle, which the rules of the envelope
 * check, are allowed anywhere. Returns those that a wildcard lets in.
 */
function refuseAttributes(node: XmlElement, type?: ComplexType): readonly XmlAttribute[] {
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

/** Attributes of SOAP on a header block, and `wsu:Id`, say how it is processed; encodingStyle may be on any element. */
function isEnvelopeAttribute({ uri, local }: XmlAttribute, { parent }: XmlElement): boolean {
  const isSoap = uri === SOAP12 || uri === SOAP11
  if (isSoap && local === 'encodingStyle') return true
  const isBlock = parent !== undefined && parent.local === 'Header' && (parent.uri === SOAP12 || parent.uri === SOAP11)
  return isBlock && (isSoap ? /^(mustUnderstand|role|actor|relay)$/.test(local) : uri === WSU && local === 'Id')
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = []

/** Checks an attribute that a wildcard lets in against its declaration, if there is one. */
function checkAttribute(
  node: XmlElement,
  attribute: XmlAttribute,
  wildcard: Wildcard | undefined,
  table: TypeTable,
): void {
  const source = wildcard?.process === 'skip' ? undefined : table.components.find('attribute', attribute)
  if (source) {
    const value = readSimple(table.simpleTypeOf(source), attribute.value, node)
    if (value instanceof Invalid) throw violation(node, `has an attribute ${attribute.local} that ${value.reason}`)
  } else if (wildcard?.process === 'strict') {
    throw violation(node, `has an attribute ${attribute.local} that is not declared`)
  }
}

/** Checks an element that a wildcard lets in against its declaration, if there is one (XSD part 1, 3.10.4). */
export function checkWildcard(node: XmlElement, { process }: Wildcard, table: TypeTable): void {
  const declaration = process === 'skip' ? undefined : table.element(node)
  if (declaration) decodeElement(node, declaration, table)
  else if (process === 'strict') throw violation(node, 'is not declared')
}

/** Reads children from `at` on as far as the particle goes; returns where it ends. One element ahead decides. */
function decodeParticle(particle: Particle, parent: XmlElement, at: number, values: Values, table: TypeTable): number {
  const { children } = parent
  const { min, max, key } = particle
  let next = at
  let count = 0
  for (let child = children[next]; count < max && child && startsWith(particle, child); child = children[next]) {
    count++
    if (particle.kind === 'element' || particle.kind === 'any') {
      if (particle.kind === 'any') checkWildcard(child, particle.wildcard, table)
      const value = particle.kind === 'any' ? child : decodeElement(child, particle.element, table)
      if (max === 1) values[key] = value
      else append(values, key, value)
      next++
    } else if (key === '') {
      next = decodeGroup(particle, parent, next, values, table)
    } else {
      const occurrence: Values = {}
      for (const list of particle.lists) occurrence[list] = []
      next = decodeGroup(particle, parent, next, occurrence, table)
      if (max === 1) values[key] = occurrence
      else append(values, key, occurrence)
    }
  }
  if (count < min && !(count === 0 && isEmptiable(particle))) throw missing(particle, parent, next)
  return next
}

function append(values: Values, key: string, value: unknown): void {
  const list = values[key]
  if (Array.isArray(list)) list.push(value)
}

function decodeGroup(group: GroupParticle, parent: XmlElement, at: number, values: Values, table: TypeTable): number {
  let next = at
  if (group.kind === 'sequence') {
    for (const member of group.members) next = decodeParticle(member, parent, next, values, table)
    return next
  }
  if (group.kind === 'choice') {
    const first = parent.children[at]
    const branch = group.members.find((member) => first && startsWith(member, first))
    return branch ? decodeParticle(branch, parent, at, values, table) : at
  }
  const open = new Set(group.members)
  for (let child = parent.children[next]; child; child = parent.children[next]) {
    const name = child
    const member = [...open].find((candidate) => startsWith(candidate, name))
    if (!member) break
    open.delete(member)
    next = decodeParticle(member, parent, next, values, table)
  }
  for (const member of open) if (!isEmptiable(member)) throw missing(member, parent, next)
  return next
}

function missing(particle: Particle, parent: XmlElement, at: number): SoapFault {
  const next = parent.children[at]
  const wanted = wantedBy(particle)
  return next
    ? violation(next, `is not expected here: ${wanted} is`)
    : violation(parent, `is incomplete: ${wanted} is missing`)
}

function wantedBy(particle: Particle): string {
  if (particle.kind === 'element') return particle.element.local
  if (particle.kind === 'any') return 'any element'
  const wanted = particle.members.find((member) => !isEmptiable(member)) ?? particle.members[0]
  return wanted ? wantedBy(wanted) : 'nothing'
}

function violation(node: XmlElement, reason: string): SoapFault {
  return senderFault('ValidationFailed', `${pathOf(node)} ${reason}.`)
}
