import { escapeAttribute, escapeText } from '../xml/escape.ts'
import { XSI } from '../xml/names.ts'
import { Invalid } from './invalid.ts'
import { type ComplexType, type ElementDeclaration, type GroupParticle, isDerivedFrom, type Particle } from './model.ts'
import type { SimpleType } from './simple-type.ts'
import type { TypeTable } from './types.ts'
import { writeElement } from './write-element.ts'

type Values = Record<string, unknown>

/** What the writing of one message carries along: the types, and where it is, for the message of an error. */
interface Writing {
  readonly table: TypeTable
  readonly path: (string | number)[]
}

/**
 * Writes a value as the element that a declaration says, in the order of the schema. Throws a TypeError with the path
 * of what does not fit: it is a mistake of who calls. Properties that the schema does not know are left out.
 *
 * @param namespaces - the namespace declarations of the element
 */
export function encodeRoot(
  value: unknown,
  declaration: ElementDeclaration,
  namespaces: string,
  table: TypeTable,
): string {
  return encodeElement(value, declaration, { table, path: [declaration.local] }, namespaces)
}

function encodeElement(value: unknown, declaration: ElementDeclaration, writing: Writing, namespaces = ''): string {
  const { tag, open, close, type: declared } = declaration
  if (value === null && declaration.nillable) return `<${tag}${namespaces} xmlns:xsi="${XSI}" xsi:nil="true"/>`
  if (declared.kind === 'simple') {
    const text = encodeText(value, declared, writing)
    return (namespaces === '' ? open : `<${tag}${namespaces}>`) + text + close
  }
  if (!isObject(value)) throw mismatch(writing, 'must be an object')
  const type = actualType(value, declared, writing)
  const typed = type === declared ? '' : typeAttribute(type, writing)
  const attributes = type.attributes.length === 0 ? '' : encodeAttributes(value, type, writing)
  const more = namespaces + typed + attributes
  const { content } = type
  if (content.kind === 'empty') return `<${tag}${more}/>`
  const inner =
    content.kind === 'simple'
      ? encodeText(value['value'], content.type, writing)
      : encodeParticle(content.particle, value, writing)
  return (more === '' ? open : `<${tag}${more}>`) + inner + close
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value may ask for a derived type by a property `$type`: its local name, or `{uri}local`. */
function actualType(value: Values, declared: ComplexType, writing: Writing): ComplexType {
  const wanted = value['$type']
  if (typeof wanted !== 'string') {
    if (declared.abstract) throw mismatch(writing, 'needs a $type: its type is abstract')
    return declared
  }
  const end = wanted.indexOf('}')
  const uri = end === -1 ? (declared.name?.uri ?? '') : wanted.slice(1, end)
  const type = writing.table.find({ uri, local: wanted.slice(end + 1) })
  if (type?.kind === 'complex' && isDerivedFrom(type, declared)) return type
  throw mismatch(writing, 'has a $type that does not go here')
}

function typeAttribute({ name }: ComplexType, { table }: Writing): string {
  return name ? ` xmlns:xsi="${XSI}" xsi:type="${table.tagOf(name)}"` : ''
}

function encodeText(value: unknown, type: SimpleType, writing: Writing): string {
  const text = type.format(value)
  if (typeof text !== 'string') throw mismatch(writing, text.reason)
  return type.plain ? text : escapeText(text)
}

function encodeAttributes(value: Values, type: ComplexType, writing: Writing): string {
  let out = ''
  for (const use of type.attributes) {
    const given = value[use.key] ?? (use.required ? use.fixed : undefined)
    if (given === undefined) {
      if (use.required) throw mismatch(writing, `has no ${use.key}`)
      continue
    }
    const text = use.type.format(given)
    if (text instanceof Invalid) throw mismatch(writing, `has an ${use.key} that ${text.reason}`)
    out += ` ${use.tag}="${use.type.plain ? text : escapeAttribute(text)}"`
  }
  return out
}

function encodeParticle(particle: Particle, value: Values, writing: Writing): string {
  const { min, max, key } = particle
  if (key === '') {
    if (particle.kind === 'element' || particle.kind === 'any') return ''
    return min === 0 && !isPresent(particle, value) ? '' : encodeGroup(particle, value, writing)
  }
  const given = value[key]
  if (max > 1) return encodeList(particle, given ?? [], writing)
  if (given === undefined || (given === null && !isNillable(particle))) {
    if (min > 0) throw mismatch(writing, `has no ${key}`)
    return ''
  }
  writing.path.push(key)
  const out = encodeOne(particle, given, writing)
  writing.path.pop()
  return out
}

function encodeList(particle: Particle, list: unknown, writing: Writing): string {
  const { min, max, key } = particle
  writing.path.push(key)
  if (!Array.isArray(list)) throw mismatch(writing, 'must be an array')
  if (list.length < min || list.length > max) throw mismatch(writing, `must have ${min} to ${max} items`)
  let out = ''
  for (let at = 0; at < list.length; at++) {
    writing.path.push(at)
    out += encodeOne(particle, list[at], writing)
    writing.path.pop()
  }
  writing.path.pop()
  return out
}

function isNillable(particle: Particle): boolean {
  return particle.kind === 'element' && particle.element.nillable
}

function encodeOne(particle: Particle, value: unknown, writing: Writing): string {
  if (particle.kind === 'element') return encodeElement(value, particle.element, writing)
  if (!isObject(value)) throw mismatch(writing, 'must be an object')
  return particle.kind === 'any' ? writeElement(value) : encodeGroup(particle, value, writing)
}

function encodeGroup(group: GroupParticle, value: Values, writing: Writing): string {
  if (group.kind !== 'choice') {
    let out = ''
    for (const member of group.members) out += encodeParticle(member, value, writing)
    return out
  }
  const present = group.members.filter((member) => isPresent(member, value))
  if (present.length > 1) throw mismatch(writing, 'has more than one alternative of a choice')
  const branch = present[0] ?? group.members.find(({ min }) => min === 0)
  if (branch) return encodeParticle(branch, value, writing)
  if (group.members.length === 0) return ''
  throw mismatch(writing, 'has no alternative of a choice')
}

function isPresent(particle: Particle, value: Values): boolean {
  if (particle.key !== '') {
    const given = value[particle.key]
    return Array.isArray(given) ? given.length > 0 : given !== undefined && (given !== null || isNillable(particle))
  }
  return 'members' in particle && particle.members.some((member) => isPresent(member, value))
}

function mismatch({ path }: Writing, reason: string): TypeError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return new TypeError(`${steps.slice(1)} ${reason}`)
}
