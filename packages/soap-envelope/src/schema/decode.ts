import type { SoapFault } from '../fault.ts'
import { getAttribute, isBlank, listContent, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, type QName, XSI } from '../xml/names.ts'
import { isEncodedArray } from './built-in-schemas.ts'
import { decodeAttributes, rejectAttributes } from './decode-attributes.ts'
import { type Decoding, decodeText, getText } from './decode-simple.ts'
import { Identifiers } from './identifiers.ts'
import { checkConstraints } from './identity.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  type ElementParticle,
  type GroupParticle,
  isDerivedFrom,
  isEmptiable,
  type Particle,
  startsWith,
  type Type,
  toSimpleType,
  type Wildcard,
} from './model.ts'
import { readSimple, type SimpleType } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'
import { violation } from './violation.ts'

type Values = Record<string, unknown>

const IS_ABSTRACT = 'is of an abstract type: xsi:type must name one'

/**
 * Creates the function that reads an element of a message as the value that its declaration says.
 * It throws a fault ValidationFailed with the path, not the value.
 */
export function createDecoder(declaration: ElementDeclaration, table: TypeTable): (node: XmlElement) => unknown {
  const plain: Decoding = { table, ids: undefined }
  return (node) => {
    if (!table.hasIdentifiers) return decodeElement(node, declaration, plain)
    const ids = new Identifiers()
    const value = decodeElement(node, declaration, { table, ids })
    ids.checkReferences()
    return value
  }
}

/**
 * Reads an element in one that is being decoded, or on its own: references to other elements of the
 * message are checked by {@link createDecoder} only.
 */
export function decodeElement(node: XmlElement, declaration: ElementDeclaration, decoding: Decoding): unknown {
  const hasAttributes = node.attributes.length > 0
  const declared = declaration.type
  const type = hasAttributes ? actualType(node, declaration, decoding.table) : declared
  if (declaration.abstract) throw violation(node, 'is abstract')
  if (hasAttributes && isNil(node, declaration)) {
    checkNil(node, type, decoding)
    return null
  }
  if (node.bytes !== undefined && !holdsBase64(type)) throw violation(node, 'must not be an attachment')
  let value: unknown
  if (type.kind === 'complex') value = decodeComplex(node, type, declaration, decoding)
  else {
    if (node.children.length > 0) throw violation(node, 'must contain only text')
    if (hasAttributes) rejectAttributes(node)
    value = decodeText(node, type, declaration, decoding)
    if (type !== declared && declaration.isUntyped) value = { $type: readTypeName(node), value }
  }
  if (type !== declared && declared.kind === 'simple' && !declaration.isUntyped)
    value = readDeclared(node, getText(node, declaration), type, declared)
  if (declaration.constraints.length > 0) {
    const wrong = checkConstraints(node, declaration.constraints)
    if (wrong !== undefined) throw violation(node, wrong)
  }
  return value
}

/**
 * Reads a text, which was checked against the type that `xsi:type` names, as a value of the
 * declared type: a client must not choose the JavaScript type of the value.
 */
function readDeclared(node: XmlElement, text: string, type: Type, declared: SimpleType): unknown {
  const member = declared.members?.find((candidate) => isDerivedFrom(type, candidate))
  if (member) return readDeclared(node, text, type, member)
  const { whiteSpace } = toSimpleType(type) ?? declared
  return readSimple({ ...declared, whiteSpace }, text, node)
}

/** Checks an element that is nil: it has no content, and the attributes of its type. */
function checkNil(node: XmlElement, type: Type, decoding: Decoding): void {
  if (node.children.length > 0 || node.text !== '' || node.bytes) throw violation(node, 'is nil but not empty')
  if (type.kind === 'simple') rejectAttributes(node)
  else if (type.abstract) throw violation(node, IS_ABSTRACT)
  else decodeAttributes(node, type, {}, decoding)
}

/** Only a value in Base64 may be an attachment of a message with XOP. */
function holdsBase64(type: Type): boolean {
  return toSimpleType(type)?.isBase64 === true
}

/** The name in an `xsi:type` that was checked before. */
function readTypeName(node: XmlElement): string {
  const name = resolveQName(node, getAttribute(node, XSI, 'type') ?? '')
  return name ? clark(name) : ''
}

/** The type that `xsi:type` names: the declared one, or one derived from it (XSD part 1 §3.3.4). */
function actualType(node: XmlElement, declaration: ElementDeclaration, table: TypeTable): Type {
  const text = getAttribute(node, XSI, 'type')
  if (text === undefined) return declaration.type
  const name = resolveQName(node, text)
  const type = name && table.find(name)
  const { type: declared, block } = declaration
  const blocked =
    declared.kind === 'complex' && declared.block.size > 0 ? new Set([...block, ...declared.block]) : block
  if (type && isDerivedFrom(type, declared, blocked)) return type
  // Clients of SOAP encoding name the base of all arrays.
  if (type && isEncodedArray(name) && isDerivedFrom(declared, type)) return declared
  throw violation(node, 'has an xsi:type that is not allowed here')
}

/** The name of a type that is not the declared one: local, with the namespace if that differs. */
function formatTypeName(name: QName, { type }: ElementDeclaration): string {
  return type.kind === 'complex' && type.name?.uri === name.uri ? name.local : clark(name)
}

function isNil(node: XmlElement, { nillable }: ElementDeclaration): boolean {
  const text = getAttribute(node, XSI, 'nil')?.trim()
  if (text === undefined) return false
  if (!nillable) throw violation(node, 'must not be nil')
  if (text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw violation(node, 'has an xsi:nil that is not a boolean')
}

function decodeComplex(
  node: XmlElement,
  type: ComplexType,
  declaration: ElementDeclaration,
  decoding: Decoding,
): unknown {
  if (type.abstract) throw violation(node, IS_ABSTRACT)
  const { content } = type
  const values: Values = {}
  if (type.attributes.length > 0 || node.attributes.length > 0) decodeAttributes(node, type, values, decoding)
  if (content.kind === 'simple') {
    if (node.children.length > 0) throw violation(node, 'must contain only text')
    values['value'] = decodeText(node, content.type, declaration, decoding)
  } else if (content.kind === 'mixed') {
    checkChildren(node, content.particle, decoding)
    values['content'] = listContent(node)
  } else {
    if (node.text !== '' && !isBlank(node.text)) throw violation(node, 'must not contain text')
    let next = 0
    if (content.kind === 'elements') {
      const { particle } = content
      for (const key of content.lists) values[key] = []
      next = content.isPlain
        ? decodeGroup(particle, node, 0, values, decoding)
        : decodeParticle(particle, node, 0, values, decoding)
    }
    const extra = node.children[next]
    if (extra) throw violation(extra, 'is not expected here')
  }
  if (type !== declaration.type && type.name) values['$type'] = formatTypeName(type.name, declaration)
  // An element without a type that holds text only is its text.
  else if (declaration.isUntyped && node.children.length === 0 && !('@any' in values)) return node.text
  return values
}

/** Checks the elements in mixed content; their values are not used. */
export function checkChildren(node: XmlElement, particle: GroupParticle | undefined, decoding: Decoding): void {
  const values: Values = {}
  for (const key of particle?.lists ?? []) values[key] = []
  if (particle && particle.key !== '') values[particle.key] = []
  const next = particle ? decodeParticle(particle, node, 0, values, decoding) : 0
  const extra = node.children[next]
  if (extra) throw violation(extra, 'is not expected here')
}

/**
 * Checks an element that a wildcard lets in against its declaration, if there is one (XSD part 1
 * §3.10.4).
 */
export function checkWildcard(node: XmlElement, { process }: Wildcard, decoding: Decoding): void {
  const declaration = process === 'skip' ? undefined : decoding.table.element(node)
  if (declaration) decodeElement(node, declaration, decoding)
  else if (process === 'strict') throw violation(node, 'is not declared')
}

/**
 * Reads children from an index on as far as the particle goes; returns where it ends. One element
 * ahead decides.
 */
function decodeParticle(
  particle: Particle,
  parent: XmlElement,
  start: number,
  values: Values,
  decoding: Decoding,
): number {
  if (particle.kind === 'element') return decodeElements(particle, parent, start, values, decoding)
  const { children } = parent
  const { min, max, key } = particle
  let next = start
  let count = 0
  for (let child = children[next]; count < max && child && startsWith(particle, child); child = children[next]) {
    count++
    let value: unknown
    if (particle.kind === 'any') {
      checkWildcard(child, particle.wildcard, decoding)
      value = child
      next++
    } else {
      const occurrence = key === '' ? values : emptyOccurrence(particle)
      next = decodeGroup(particle, parent, next, occurrence, decoding)
      if (key === '') continue
      value = occurrence
    }
    if (max === 1) values[key] = value
    else append(values, key, value)
  }
  if (count < min && !isEmptiable(particle)) throw missing(particle, parent, next)
  return next
}

function decodeElements(
  particle: ElementParticle,
  parent: XmlElement,
  start: number,
  values: Values,
  decoding: Decoding,
): number {
  const { element, min, max, key } = particle
  const { children } = parent
  const end = Math.min(children.length, start + max)
  let next = start
  for (; next < end; next++) {
    const child = children[next]
    if (child === undefined || child.local !== element.local || child.uri !== element.uri) break
    const value = decodeElement(child, element, decoding)
    if (max === 1) values[key] = value
    else append(values, key, value)
  }
  if (next - start < min) throw missing(particle, parent, next)
  return next
}

function emptyOccurrence({ lists }: GroupParticle): Values {
  const values: Values = {}
  for (const list of lists) values[list] = []
  return values
}

function append(values: Values, key: string, value: unknown): void {
  const list = values[key]
  if (Array.isArray(list)) list.push(value)
}

function decodeGroup(
  group: GroupParticle,
  parent: XmlElement,
  start: number,
  values: Values,
  decoding: Decoding,
): number {
  const { members } = group
  let next = start
  if (group.kind === 'sequence') {
    for (const member of members)
      next =
        member.kind === 'element'
          ? decodeElements(member, parent, next, values, decoding)
          : decodeParticle(member, parent, next, values, decoding)
    return next
  }
  if (group.kind === 'choice') {
    const first = parent.children[start]
    const branch = members.find((member) => first && startsWith(member, first))
    return branch ? decodeParticle(branch, parent, start, values, decoding) : start
  }
  const seen = new Set<Particle>()
  for (let child = parent.children[next]; child; child = parent.children[next]) {
    const name = child
    const member = members.find((candidate) => !seen.has(candidate) && startsWith(candidate, name))
    if (!member) break
    seen.add(member)
    next = decodeParticle(member, parent, next, values, decoding)
  }
  for (const member of members) if (!seen.has(member) && !isEmptiable(member)) throw missing(member, parent, next)
  return next
}

function missing(particle: Particle, parent: XmlElement, index: number): SoapFault {
  const next = parent.children[index]
  const wanted = findWanted(particle)
  return next
    ? violation(next, `is not expected here: ${wanted} is`)
    : violation(parent, `is incomplete: ${wanted} is missing`)
}

function findWanted(particle: Particle): string {
  if (particle.kind === 'element') return particle.element.local
  if (particle.kind === 'any') return 'any element'
  const wanted = particle.members.find((member) => !isEmptiable(member)) ?? particle.members[0]
  return wanted ? findWanted(wanted) : 'nothing'
}
