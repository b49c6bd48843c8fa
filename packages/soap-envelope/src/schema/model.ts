import { isSameName, type QName } from '../xml/names.ts'
import type { SimpleType } from './simple-type.ts'

export type Type = SimpleType | ComplexType

/** Derivation of a type from its base. */
export type Derivation = 'extension' | 'restriction'

export interface ComplexType {
  readonly kind: 'complex'
  /** Of a global type; `undefined` for one without a name. */
  readonly name: QName | undefined
  readonly abstract: boolean
  /** The type that this one extends or restricts. */
  base: Type | undefined
  derivation: Derivation
  /** The derivations that may not stand for it in a message. */
  readonly block: ReadonlySet<string>
  attributes: readonly AttributeUse[]
  anyAttribute: Wildcard | undefined
  content: Content
}

export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'simple'; readonly type: SimpleType }
  | {
      readonly kind: 'elements'
      readonly particle: GroupParticle
      /** The properties that are lists. */
      readonly lists: readonly string[]
      /** Whether the particle is a sequence that comes once. */
      readonly isPlain: boolean
    }
  /** Text between the elements. The value has its content as a list, in order. */
  | { readonly kind: 'mixed'; readonly particle: GroupParticle | undefined }

export interface AttributeUse extends QName {
  /** The name as it is written: with the prefix of its namespace. */
  readonly tag: string
  /** Property of the object. */
  readonly key: string
  readonly type: SimpleType
  readonly required: boolean
  readonly fixed: string | undefined
  readonly default: string | undefined
}

/** A wildcard: it allows some namespaces, all of them, or all but one. */
export interface Wildcard {
  readonly allows: (uri: string) => boolean
  /**
   * Whether what is let in must be declared (`strict`), is checked if it is declared (`lax`), or
   * never (`skip`).
   */
  readonly process: 'strict' | 'lax' | 'skip'
}

export interface ElementDeclaration extends QName {
  /** The name as it is written: with the prefix of its namespace. */
  readonly tag: string
  /** The start and the end tag of an element without attributes. */
  readonly open: string
  readonly close: string
  readonly type: Type
  /** Whether its type is that of everything. */
  readonly isUntyped: boolean
  readonly nillable: boolean
  readonly abstract: boolean
  readonly fixed: string | undefined
  readonly default: string | undefined
  /** The derivations that may not stand for it in a message. */
  readonly block: ReadonlySet<string>
  /** `xs:key`, `xs:unique` and `xs:keyref`. */
  readonly constraints: readonly Constraint[]
  /** The media type of its binary value, if `xmime:expectedContentTypes` names one. */
  readonly mediaType: string | undefined
  /** Whether the schema declares it outside of all types. */
  readonly isGlobal: boolean
}

export type Particle = ElementParticle | GroupParticle | AnyParticle

interface Occurrence {
  readonly min: number
  /** `Infinity` for unbounded. */
  readonly max: number
  /** Property of the object; empty for a group whose members are properties themselves. */
  key: string
}

export interface ElementParticle extends Occurrence {
  readonly kind: 'element'
  readonly element: ElementDeclaration
}

export interface AnyParticle extends Occurrence {
  readonly kind: 'any'
  readonly wildcard: Wildcard
}

export interface GroupParticle extends Occurrence {
  readonly kind: 'sequence' | 'choice' | 'all'
  readonly members: readonly Particle[]
  /** The properties of its object that are lists, also those of groups inside it. */
  lists: readonly string[]
}

/** Content of the elements that a particle matches; `lists` are the properties that are lists. */
export function elementContent(particle: GroupParticle, lists: readonly string[]): Content {
  const { kind, min, max, key } = particle
  return { kind: 'elements', particle, lists, isPlain: kind === 'sequence' && min === 1 && max === 1 && key === '' }
}

/** The properties that are lists among those that some members give to one object. */
export function findLists(members: readonly Particle[]): string[] {
  const lists = members.flatMap((member) => {
    if (member.key !== '') return member.max > 1 ? [member.key] : []
    return 'lists' in member ? member.lists : []
  })
  return [...new Set(lists)]
}

/** Whether an element may be the first of what a particle matches. */
export function startsWith(particle: Particle, name: QName): boolean {
  if (particle.kind === 'element') return isSameName(particle.element, name)
  if (particle.kind === 'any') return particle.wildcard.allows(name.uri)
  for (const member of particle.members) {
    if (startsWith(member, name)) return true
    if (particle.kind === 'sequence' && !isEmptiable(member)) return false
  }
  return false
}

/** Whether a particle matches nothing at all too. */
export function isEmptiable(particle: Particle): boolean {
  if (particle.min === 0) return true
  if (particle.kind === 'element' || particle.kind === 'any') return false
  if (particle.kind !== 'choice') return particle.members.every(isEmptiable)
  return particle.members.length === 0 || particle.members.some(isEmptiable)
}

/** The type of the text of an element; `undefined` for one that holds elements or nothing. */
export function toSimpleType(type: Type | undefined): SimpleType | undefined {
  if (type?.kind === 'simple') return type
  return type?.content.kind === 'simple' ? type.content.type : undefined
}

/**
 * Whether a type is the type of everything: `xs:anyType` or, among simple types,
 * `xs:anySimpleType`.
 */
export function isUntyped(type: Type): boolean {
  return (
    type.base === undefined && (type.kind === 'simple' ? type.name === 'anySimpleType' : type.name?.local === 'anyType')
  )
}

/**
 * Whether a type is another one, comes from it by extension or restriction, or belongs to it as to
 * a union (XSD part 1 §3.14.6).
 *
 * @param block - derivations that do not count
 */
export function isDerivedFrom(type: Type, ancestor: Type, block: ReadonlySet<string> = NONE): boolean {
  if (isUntyped(ancestor) && (ancestor.kind === 'complex' || type.kind === 'simple')) return true
  for (let current: Type | undefined = type; current; current = current.base) {
    if (current === ancestor) return true
    if (block.has(current.kind === 'complex' ? current.derivation : 'restriction')) return false
  }
  return ancestor.kind === 'simple' && ancestor.members?.some((member) => isDerivedFrom(type, member, block)) === true
}

export const NONE: ReadonlySet<string> = new Set()

/** An `xs:key`, `xs:unique` or `xs:keyref` (XSD part 1, 3.11). */
export interface Constraint {
  readonly kind: 'key' | 'unique' | 'keyref'
  readonly name: QName
  /** The key that a keyref refers to. */
  readonly refer: QName | undefined
  readonly selector: readonly Path[]
  readonly fields: readonly (readonly Path[])[]
  readonly declaration: ElementDeclaration
}

/**
 * A path of the small part of XPath that constraints have: children by name, at any depth if it
 * begins with `.//`.
 */
export interface Path {
  readonly deep: boolean
  readonly steps: readonly ((name: QName) => boolean)[]
  readonly attribute: ((name: QName) => boolean) | undefined
}
