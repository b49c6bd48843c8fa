import { type SoapFault, senderFault } from '../fault.ts'
import { attributeOf, isBlank, pathOf, resolveQName, type XmlElement } from '../xml/element.ts'
import { clark, type QName, SOAP11, SOAP12, XSI } from '../xml/names.ts'
import { Invalid } from './invalid.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  type GroupParticle,
  isDerivedFrom,
  isEmptiable,
  type Particle,
  startsWith,
  type Type,
} from './model.ts'
import { readSimple, type SimpleType } from './simple-type.ts'
import type { TypeTable } from './types.ts'

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
  if (type.kind === 'complex') {
    const values = decodeComplex(node, type, table)
    if (type !== declaration.type && type.name) values['$type'] = typeNameOf(type.name, declaration)
    return values
  }
  if (node.children.length > 0) throw violation(node, 'must hold text alone')
  if (hasAttributes) refuseAttributes(node)
  return decodeText(node, type, declaration)
}

/** The type that `xsi:type` names: the declared one, or one derived from it (XSD part 1, 3.3.4). */
function actualType(node: XmlElement, declaration: ElementDeclaration, table: TypeTable): Type {
  const text = attributeOf(node, XSI, 'type')
  if (text === undefined) return declaration.type
  const name = resolveQName(node, text)
  const type = name && table.find(name)
  if (!type || !isDerivedFrom(type, declaration.type)) throw violation(node, 'has an xsi:type that does not go here')
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
  const value = readSimple(type, preset ?? node.text)
  if (value instanceof Invalid) throw violation(node, value.reason)
  if (declaration?.fixed !== undefined && node.text !== '' && type.format(value) !== declaration.fixed)
    throw violation(node, 'has not the fixed value')
  return value
}

function decodeComplex(node: XmlElement, type: ComplexType, table: TypeTable): Values {
  if (type.abstract) throw violation(node, 'is of an abstract type: xsi:type must name one')
  const { content } = type
  const values: Values = {}
  if (type.attributes.length > 0 || node.attributes.length > 0) decodeAttributes(node, type, values)
  if (content.kind === 'simple') {
    if (node.children.length > 0) throw violation(node, 'must hold text alone')
    values['value'] = decodeText(node, content.type)
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

function decodeAttributes(node: XmlElement, type: ComplexType, values: Values): void {
  refuseAttributes(node, type)
  for (const use of type.attributes) {
    const text = attributeOf(node, use.uri, use.local) ?? use.default ?? (use.required ? undefined : use.fixed)
    if (text === undefined) {
      if (use.required) throw violation(node, `has no attribute ${use.local}`)
      continue
    }
    const value = readSimple(use.type, text)
    if (value instanceof Invalid) throw violation(node, `has an attribute ${use.local} that ${value.reason}`)
    if (use.fixed !== undefined && use.type.format(value) !== use.fixed)
      throw violation(node, `has an attribute ${use.local} without its fixed value`)
    values[use.key] = value
  }
}

/** Attributes of XSI, and encodingStyle, which the envelope's rules look at, may stand anywhere. */
function refuseAttributes(node: XmlElement, type?: ComplexType): void {
  for (const { uri, local } of node.attributes) {
    if (uri === XSI && /^(type|nil|schemaLocation|noNamespaceSchemaLocation)$/.test(local)) continue
    if ((uri === SOAP12 || uri === SOAP11) && local === 'encodingStyle') continue
    if (type?.attributes.some((use) => use.local === local && use.uri === uri)) continue
    if (type?.anyAttribute?.allows(uri)) continue
    throw violation(node, `has an attribute ${local} that is not expected`)
  }
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
      append(values, key, occurrence)
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
  const found = parent.children[at]
  const wanted = wantedBy(particle)
  return found
    ? violation(found, `is not expected here: ${wanted} is`)
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
