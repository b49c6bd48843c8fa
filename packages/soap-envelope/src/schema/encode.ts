import { escapeAttribute, escapeText } from '../xml/escape.ts'
import { type QName, XSI } from '../xml/names.ts'
import { Invalid } from './invalid.ts'
import { type ComplexType, type ElementDeclaration, isDerivedFrom, type Particle, type Type } from './model.ts'
import type { SimpleType } from './simple-type.ts'
import type { TypeTable } from './types.ts'
import { writeElement } from './write-element.ts'

/** What the writing of a message needs: the types, and the prefix of each namespace of the schema. */
export interface EncodeContext {
  readonly table: TypeTable
  readonly prefixes: ReadonlyMap<string, string>
}

/**
 * Writes a value as the element that a declaration says, in the order of the schema. Throws a TypeError with the path
 * of what does not fit: it is a mistake of who calls. Properties that the schema does not know are left out.
 */
export function encodeElement(
  value: unknown,
  declaration: ElementDeclaration,
  path: string,
  context: EncodeContext,
  declarations = '',
): string {
  const name = qualified(declaration, context)
  if (value === null && declaration.nillable) return `<${name}${declarations} xmlns:xsi="${XSI}" xsi:nil="true"/>`
  const type = actualType(value, declaration, path, context)
  const typed = type === declaration.type ? '' : typeAttribute(type, context)
  if (type.kind === 'simple') return `<${name}${declarations}>${encodeText(value, type, path)}</${name}>`
  if (!isObject(value)) throw mismatch(path, 'must be an object')
  const attributes = type.attributes.length === 0 ? '' : encodeAttributes(value, type, path, context)
  const open = `<${name}${declarations}${typed}${attributes}`
  const { content } = type
  if (content.kind === 'empty') return `${open}/>`
  if (content.kind === 'simple') return `${open}>${encodeText(value['value'], content.type, `${path}/value`)}</${name}>`
  return `${open}>${encodeParticle(content.particle, value, path, context)}</${name}>`
}

type Values = Record<string, unknown>

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function qualified({ uri, local }: QName, { prefixes }: EncodeContext): string {
  const prefix = prefixes.get(uri)
  return prefix === undefined ? local : `${prefix}:${local}`
}

/** A value may ask for a derived type by a property `$type`, its local name or `{uri}local`. */
function actualType(value: unknown, declaration: ElementDeclaration, path: string, context: EncodeContext): Type {
  const declared = declaration.type
  const wanted = declared.kind === 'complex' && isObject(value) ? value['$type'] : undefined
  if (typeof wanted !== 'string') {
    if (declared.kind === 'complex' && declared.abstract) throw mismatch(path, 'needs a $type: its type is abstract')
    return declared
  }
  const end = wanted.indexOf('}')
  const uri = end === -1 ? (declared.kind === 'complex' && declared.name?.uri) || '' : wanted.slice(1, end)
  const type = context.table.find({ uri, local: wanted.slice(end + 1) })
  if (!type || !isDerivedFrom(type, declared)) throw mismatch(path, 'has a $type that does not go here')
  return type
}

function typeAttribute(type: Type, context: EncodeContext): string {
  if (type.kind === 'simple' || !type.name) return ''
  return ` xmlns:xsi="${XSI}" xsi:type="${qualified(type.name, context)}"`
}

function encodeText(value: unknown, type: SimpleType, path: string): string {
  const text = type.format(value)
  if (text instanceof Invalid) throw mismatch(path, text.reason)
  return escapeText(text)
}

function encodeAttributes(value: Values, type: ComplexType, path: string, context: EncodeContext): string {
  let out = ''
  for (const use of type.attributes) {
    const given = value[use.key] ?? (use.required ? use.fixed : undefined)
    if (given === undefined) {
      if (use.required) throw mismatch(`${path}/${use.key}`, 'is missing')
      continue
    }
    const text = use.type.format(given)
    if (text instanceof Invalid) throw mismatch(`${path}/${use.key}`, text.reason)
    out += ` ${qualified(use, context)}="${escapeAttribute(text)}"`
  }
  return out
}

function encodeParticle(particle: Particle, value: Values, path: string, context: EncodeContext): string {
  const { min, max, key } = particle
  if (key === '') {
    if (particle.kind === 'element' || particle.kind === 'any') return ''
    return min === 0 && !isPresent(particle, value) ? '' : encodeGroup(particle, value, path, context)
  }
  const given = value[key]
  if (max === 1) {
    if (given === undefined || (given === null && !isNillable(particle))) {
      if (min > 0) throw mismatch(`${path}/${key}`, 'is missing')
      return ''
    }
    return encodeOne(particle, given, `${path}/${key}`, context)
  }
  const list = given ?? []
  if (!Array.isArray(list)) throw mismatch(`${path}/${key}`, 'must be an array')
  if (list.length < min || list.length > max) throw mismatch(`${path}/${key}`, `must have ${min} to ${max} items`)
  let out = ''
  for (let at = 0; at < list.length; at++) out += encodeOne(particle, list[at], `${path}/${key}[${at + 1}]`, context)
  return out
}

function isNillable(particle: Particle): boolean {
  return particle.kind === 'element' && particle.element.nillable
}

function encodeOne(particle: Particle, value: unknown, path: string, context: EncodeContext): string {
  if (particle.kind === 'element') return encodeElement(value, particle.element, path, context)
  if (!isObject(value)) throw mismatch(path, 'must be an object')
  return particle.kind === 'any' ? writeElement(value) : encodeGroup(particle, value, path, context)
}

type Group = Extract<Particle, { members: readonly Particle[] }>

function encodeGroup(group: Group, value: Values, path: string, context: EncodeContext): string {
  if (group.kind !== 'choice') {
    let out = ''
    for (const member of group.members) out += encodeParticle(member, value, path, context)
    return out
  }
  const present = group.members.filter((member) => isPresent(member, value))
  if (present.length > 1) throw mismatch(path, 'has more than one alternative of a choice')
  const branch = present[0] ?? group.members.find((member) => member.min === 0)
  if (branch) return encodeParticle(branch, value, path, context)
  if (group.members.length === 0) return ''
  throw mismatch(path, 'has no alternative of a choice')
}

function isPresent(particle: Particle, value: Values): boolean {
  if (particle.key !== '') {
    const given = value[particle.key]
    return Array.isArray(given) ? given.length > 0 : given !== undefined && (given !== null || isNillable(particle))
  }
  return 'members' in particle && particle.members.some((member) => isPresent(member, value))
}

function mismatch(path: string, reason: string): TypeError {
  return new TypeError(`${path} ${reason}`)
}
