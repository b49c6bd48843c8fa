import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import { SoapFault } from '../fault.ts'
import type { XmlElement } from '../xml/element.ts'
import { type QName, XSI } from '../xml/names.ts'
import { findAlternative, getProperty, isNillable, isPresent } from './alternatives.ts'
import { checkChildren, checkWildcard } from './decode.ts'
import { encodeAttributes, findMediaType } from './encode-attributes.ts'
import { encodeText, mismatch, type Writing } from './encode-simple.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  type GroupParticle,
  isDerivedFrom,
  isEmptiable,
  type Particle,
  type Type,
} from './model.ts'
import type { NamespaceScope } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'
import { writeElement } from './write-element.ts'

type Values = Record<string, unknown>

/**
 * Creates the function that writes a value as the element that a declaration says, in the order of
 * the schema. It throws a TypeError with the path of what does not fit, since the caller is wrong.
 * Properties that the schema does not have are omitted.
 *
 * @param namespaces - the namespace declarations of the element; `undefined` for those that a
 *   message uses
 */
export function createEncoder(
  declaration: ElementDeclaration,
  namespaces: string | undefined,
  table: TypeTable,
): (value: unknown, attach?: NamespaceScope['attach']) => string {
  const start = declaration.tag.length + 1
  const tag = declaration.tag + (namespaces ?? '')
  const root: ElementDeclaration = { ...declaration, tag, open: `<${tag}>` }
  return (value, attach) => {
    const writing: Writing = { table, attach, path: [declaration.local], extra: undefined, prefixFor }
    const text = encodeElement(value, root, writing)
    const { extra } = writing
    if (extra === undefined && namespaces !== undefined) return text
    const used = namespaces === undefined ? findUsed(text, table) : []
    const declared = [...used, ...(extra ?? [])]
      .map(([uri, prefix]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`)
      .join('')
    return text.slice(0, start) + declared + text.slice(start)
  }
}

/** Returns the namespaces of the schema whose prefixes a text contains. */
function findUsed(text: string, { prefixes }: TypeTable): [uri: string, prefix: string][] {
  const used = new Set<string>(text.match(/\bt\d*(?=:)/g))
  return [...prefixes].filter(([, prefix]) => used.has(prefix))
}

function prefixFor(this: Writing, uri: string): string {
  const declared = this.table.prefixes.get(uri)
  if (declared !== undefined) return declared
  this.extra ??= new Map()
  const prefix = this.extra.get(uri) ?? `q${this.extra.size + 1}`
  this.extra.set(uri, prefix)
  return prefix
}

/** Writes an element. `tag` of the outermost one ends with its namespace declarations. */
function encodeElement(value: unknown, declaration: ElementDeclaration, writing: Writing): string {
  const { tag, open, close, type: declared } = declaration
  if (value === null && declaration.nillable) return `<${tag} xmlns:xsi="${XSI}" xsi:nil="true"/>`
  if (declaration.isUntyped && isTypedValue(value)) return encodeUntyped(value, declaration, writing)
  if (declared.kind === 'simple') return open + encodeText(value, declared, writing, declaration) + close
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (!declaration.isUntyped || typeof value !== 'string') throw mismatch(writing, 'must be an object')
    return open + escapeText(value) + close
  }
  const values = value as Values
  const type =
    declared.abstract || typeof values['$type'] === 'string' ? actualType(values, declared, writing) : declared
  const typed = type === declared ? '' : typeAttribute(type, writing)
  const attributes =
    type.attributes.length === 0 && type.anyAttribute === undefined ? '' : encodeAttributes(values, type, writing)
  const { content } = type
  if (content.kind === 'empty') return `<${tag}${typed}${attributes}/>`
  const start = typed === '' && attributes === '' ? open : `<${tag}${typed}${attributes}>`
  if (content.kind === 'elements' && content.isPlain)
    return start + encodeMembers(content.particle, values, writing) + close
  const mediaType = content.kind === 'simple' ? findMediaType(values, type, declaration, writing) : undefined
  return start + encodeContent(content, values, writing, { mediaType, fixed: declaration.fixed }) + close
}

function encodeContent(
  content: ComplexType['content'],
  value: Values,
  writing: Writing,
  declaration?: Pick<ElementDeclaration, 'mediaType' | 'fixed'>,
): string {
  if (content.kind === 'empty') return ''
  if (content.kind === 'simple') return encodeText(value['value'], content.type, writing, declaration)
  if (content.kind === 'elements') return encodeParticle(content.particle, value, writing)
  const parts: unknown = value['content'] ?? []
  if (!Array.isArray(parts)) throw mismatch(writing, 'has a content that is not an array')
  const elements = parts.filter((part) => typeof part !== 'string') as XmlElement[]
  const out = parts.map((part) => (typeof part === 'string' ? escapeText(part) : writeElement(part))).join('')
  const node = { uri: '', local: String(writing.path.at(-1)), prefix: '', parent: undefined, attributes: [] }
  checked(writing, () =>
    checkChildren(
      { ...node, declarations: [], children: elements, text: '', textOffset: 0 },
      content.particle,
      writing,
    ),
  )
  return out
}

/**
 * Elements that were parsed are checked as those of a message are; what is wrong is the caller's
 * error here.
 */
function checked(writing: Writing, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof SoapFault
      ? mismatch(writing, `contains something that is not valid: ${error.message}`)
      : error
  }
}

/**
 * Whether a value says its type: `{ $type: '{http://www.w3.org/2001/XMLSchema}int', value: 5 }`.
 */
function isTypedValue(value: unknown): value is Values {
  return isObject(value) && typeof value['$type'] === 'string'
}

/** Writes an element without a type as one of the type that its value names. */
function encodeUntyped(value: Values, declaration: ElementDeclaration, writing: Writing): string {
  const type = typeNamed(String(value['$type']), '', writing)
  if (!type || !isDerivedFrom(type, declaration.type)) throw mismatch(writing, 'has a $type that is not allowed here')
  const name = type.kind === 'complex' ? type.name : parseName(String(value['$type']), '')
  const prefix = name && name.uri !== '' ? `${writing.prefixFor(name.uri)}:` : ''
  const attribute = name ? ` xmlns:xsi="${XSI}" xsi:type="${prefix}${name.local}"` : ''
  const { tag, close } = declaration
  if (type.kind === 'simple') return `<${tag}${attribute}>${encodeText(value['value'], type, writing)}${close}`
  const attributes = encodeAttributes(value, type, writing)
  return `<${tag}${attribute}${attributes}>${encodeContent(type.content, value, writing)}${close}`
}

function parseName(text: string, uri: string): QName {
  const end = text.indexOf('}')
  return { uri: end === -1 ? uri : text.slice(1, end), local: text.slice(end + 1) }
}

function typeNamed(text: string, uri: string, { table }: Writing): Type | undefined {
  return table.find(parseName(text, uri))
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
  const type = typeNamed(wanted, declared.name?.uri ?? '', writing)
  if (type?.kind === 'complex' && isDerivedFrom(type, declared)) return type
  throw mismatch(writing, 'has a $type that is not allowed here')
}

function typeAttribute({ name }: ComplexType, { table }: Writing): string {
  return name ? ` xmlns:xsi="${XSI}" xsi:type="${table.tagOf(name)}"` : ''
}

function encodeParticle(particle: Particle, value: Values, writing: Writing): string {
  const { min, max, key } = particle
  if (key === '') {
    if (particle.kind === 'element' || particle.kind === 'any') return ''
    return min === 0 && !isPresent(particle, value) ? '' : encodeGroup(particle, value, writing)
  }
  const property = getProperty(value, key)
  if (max > 1) return encodeList(particle, property ?? [], writing)
  if (property === undefined || (property === null && !isNillable(particle))) {
    if (min > 0) throw mismatch(writing, `has no ${key}`)
    return ''
  }
  writing.path.push(key)
  const out = encodeOne(particle, property, writing)
  writing.path.pop()
  return out
}

function encodeList(particle: Particle, list: unknown, writing: Writing): string {
  const { min, max, key } = particle
  writing.path.push(key)
  if (!Array.isArray(list)) throw mismatch(writing, 'must be an array')
  if ((list.length < min && !isEmptiable(particle)) || list.length > max)
    throw mismatch(writing, `must have ${min} to ${max} items`)
  let out = ''
  for (let index = 0; index < list.length; index++) {
    writing.path.push(index)
    out += encodeOne(particle, list[index], writing)
    writing.path.pop()
  }
  writing.path.pop()
  return out
}

function encodeOne(particle: Particle, value: unknown, writing: Writing): string {
  if (particle.kind === 'element') return encodeElement(value, particle.element, writing)
  if (!isObject(value)) throw mismatch(writing, 'must be an object')
  if (particle.kind !== 'any') return encodeGroup(particle, value, writing)
  const text = writeElement(value)
  const element = value as unknown as XmlElement
  if (!particle.wildcard.allows(element.uri)) throw mismatch(writing, 'is in a namespace that is not allowed here')
  checked(writing, () => checkWildcard(element, particle.wildcard, writing))
  return text
}

/**
 * Writes the members of a group in their order. Elements that come once, as most do, are written in
 * place.
 */
function encodeMembers({ members }: GroupParticle, value: Values, writing: Writing): string {
  let out = ''
  for (const member of members) {
    const property = value[member.key]
    const isMissing = property === undefined || property === null || typeof property === 'function'
    if (member.kind !== 'element' || member.max !== 1 || isMissing) {
      out += encodeParticle(member, value, writing)
      continue
    }
    const { type, fixed, isUntyped, open, close } = member.element
    if (type.kind === 'simple' && fixed === undefined && !type.isBase64 && !isUntyped) {
      const text = type.format(property, writing)
      if (typeof text === 'string') {
        out += open + (type.plain ? text : escapeText(text)) + close
        continue
      }
    }
    // What does not fit is reported with its path.
    writing.path.push(member.key)
    out += encodeElement(property, member.element, writing)
    writing.path.pop()
  }
  return out
}

function encodeGroup(group: GroupParticle, value: Values, writing: Writing): string {
  if (group.kind !== 'choice') return encodeMembers(group, value, writing)
  const present = group.members.filter((member) => isPresent(member, value))
  if (present.length > 1 && !findAlternative(present, value))
    throw mismatch(writing, 'has more than one alternative of a choice')
  const branch = findAlternative(present, value) ?? group.members.find(({ min }) => min === 0)
  if (branch) return encodeParticle(branch, value, writing)
  if (group.members.length === 0) return ''
  throw mismatch(writing, 'has no alternative of a choice')
}
