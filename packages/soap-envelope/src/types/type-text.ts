import { formatLiteral } from '../schema/facets.ts'
import {
  type ComplexType,
  type ElementDeclaration,
  isEmptiable,
  isUntyped,
  type Particle,
  type Type,
} from '../schema/model.ts'
import { clark, type QName } from '../xml/names.ts'

/** State of the writing of types. */
export interface Writing {
  /** Name of the TypeScript type of each global type and element. */
  readonly names: ReadonlyMap<string, string>
  readonly types: readonly Type[]
  /** Names that the types import from the package. */
  readonly imports: Set<string>
  /** The types without a name that are being written. */
  readonly unfinished: Set<ComplexType>
}

/** The properties of one object, and the unions of those of which it has one set each. */
interface Shape {
  readonly properties: readonly Property[]
  readonly unions: readonly string[]
}

interface Property {
  readonly key: string
  readonly type: string
  readonly optional: boolean
  /** The media type of a binary value. */
  readonly mediaType?: string | undefined
}

/**
 * The TypeScript of the value of an element. A global one without a named type is written by its
 * own name, since it may contain itself.
 */
export function valueType(declaration: ElementDeclaration, writing: Writing, indent: string): string {
  const { type, isGlobal } = declaration
  const name = isGlobal && type.kind === 'complex' && !type.name && writing.names.get(`element ${clark(declaration)}`)
  return name || expandedType(declaration, writing, indent)
}

/** The TypeScript of the value of an element, as its declaration says. */
export function expandedType({ type, nillable }: ElementDeclaration, writing: Writing, indent: string): string {
  const alternatives = type.kind === 'complex' ? complexAlternatives(type, writing, indent) : [type.typescript]
  return [...alternatives, ...(nillable ? ['null'] : [])].join(' | ')
}

/** The TypeScript of the value of a complex type, without a name. */
export function typeBody(type: ComplexType, writing: Writing, indent: string): string {
  const attributes = type.attributes.map(
    (use): Property => ({ key: use.key, type: use.type.typescript, optional: !use.required }),
  )
  const others: Property[] = type.anyAttribute
    ? [{ key: '@any', type: 'readonly { uri: string; local: string; value: string }[]', optional: true }]
    : []
  const { content } = type
  const shape: Shape =
    content.kind === 'elements'
      ? writeShape(content.particle, false, writing, `${indent}  `)
      : { properties: contentProperty(content, writing), unions: [] }
  return objectText({ properties: [...shape.properties, ...attributes, ...others], unions: shape.unions }, indent)
}

function contentProperty(content: ComplexType['content'], writing: Writing): Property[] {
  if (content.kind === 'simple') return [{ key: 'value', type: content.type.typescript, optional: false }]
  if (content.kind !== 'mixed') return []
  return [{ key: 'content', type: `readonly (string | ${imported('XmlElement', writing)})[]`, optional: false }]
}

function imported(name: string, { imports }: Writing): string {
  imports.add(name)
  return name
}

/** The declared type, and those that may stand for it: they say which one they are by `$type`. */
function complexAlternatives(type: ComplexType, writing: Writing, indent: string): string[] {
  if (isUntyped(type)) return [imported('AnyValue', writing)]
  const { name } = type
  if (!name) return [anonymousBody(type, writing, indent)]
  const ownName = writing.names.get(`type ${clark(name)}`) ?? 'unknown'
  const derived = writing.types.filter((other) => other.kind === 'complex' && !other.abstract && comesFrom(other, type))
  return [
    ...(type.abstract ? [] : [ownName]),
    ...derived.flatMap((other) => {
      const derivedName = other.kind === 'complex' ? other.name : undefined
      if (!derivedName) return []
      const literal = formatLiteral(typeName(derivedName, name))
      return [`(${writing.names.get(`type ${clark(derivedName)}`)} & { $type: ${literal} })`]
    }),
    ...(type.abstract && derived.length === 0 ? ['never'] : []),
  ]
}

/** A type without a name cannot be referred to. It may contain itself through a group. */
function anonymousBody(type: ComplexType, writing: Writing, indent: string): string {
  const { unfinished } = writing
  if (unfinished.has(type)) return 'unknown'
  unfinished.add(type)
  const body = typeBody(type, writing, indent)
  unfinished.delete(type)
  return body
}

/**
 * The name of its type in a value: by the local name, if it is of the namespace of the declared
 * one.
 */
function typeName(name: QName, declared: QName): string {
  return name.uri === declared.uri ? name.local : clark(name)
}

function comesFrom(type: Type, ancestor: ComplexType): boolean {
  for (let current = type.base; current; current = current.base) if (current === ancestor) return true
  return false
}

function writeShape(particle: Particle, optional: boolean, writing: Writing, indent: string): Shape {
  const isOptional = optional || isEmptiable(particle)
  if (particle.key !== '')
    return { properties: [writeProperty(particle, itemType(particle, writing, indent), isOptional)], unions: [] }
  if (!('members' in particle)) return { properties: [], unions: [] }
  if (particle.kind === 'choice')
    return { properties: [], unions: [choiceText(particle, isOptional, writing, indent.slice(2))] }
  // Members of a group that may be missing are optional each, also where it takes all of them or
  // none.
  const inner = optional || particle.min === 0
  const shapes = particle.members.map((member) => writeShape(member, inner, writing, indent))
  return {
    properties: shapes.flatMap(({ properties }) => properties),
    unions: shapes.flatMap(({ unions }) => unions),
  }
}

function itemType(particle: Particle, writing: Writing, indent: string): string {
  if (particle.kind === 'any') return imported('XmlElement', writing)
  if (particle.kind === 'element') return valueType(particle.element, writing, indent)
  if (particle.kind === 'choice') return choiceText(particle, false, writing, indent)
  const shapes = particle.members.map((member) => writeShape(member, false, writing, `${indent}  `))
  const properties = shapes.flatMap((shape) => shape.properties)
  return objectText({ properties, unions: shapes.flatMap(({ unions }) => unions) }, indent)
}

/** A list is there even if it is empty. */
function writeProperty(particle: Particle, item: string, optional: boolean): Property {
  const { key, max } = particle
  const mediaType = particle.kind === 'element' ? particle.element.mediaType : undefined
  if (max === 1) return { key, type: item, optional, mediaType }
  return { key, type: `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`, optional: false, mediaType }
}

/** One alternative each: the properties of the others are absent. */
function choiceText(
  choice: Particle & { members: readonly Particle[] },
  optional: boolean,
  writing: Writing,
  indent: string,
): string {
  const all = new Map(choice.members.flatMap(listKeys))
  const branches = choice.members.map((member) => {
    const shape = writeShape(member, false, writing, `${indent}  `)
    const memberKeys = new Map(listKeys(member))
    return objectText({ ...shape, properties: [...shape.properties, ...absent(all, memberKeys)] }, indent)
  })
  if (optional) branches.push(objectText({ properties: absent(all, new Map()), unions: [] }, indent))
  return branches.length === 0 ? 'unknown' : branches.join(' | ')
}

function absent(all: ReadonlyMap<string, boolean>, memberKeys: ReadonlyMap<string, boolean>): Property[] {
  return [...all]
    .filter(([key]) => !memberKeys.has(key))
    .map(([key, isList]) => ({ key, type: isList ? 'readonly never[]' : 'undefined', optional: true }))
}

/** The properties of a particle, and whether each is a list. */
function listKeys(particle: Particle): [string, boolean][] {
  if (particle.key !== '') return [[particle.key, particle.max > 1]]
  return 'members' in particle ? particle.members.flatMap(listKeys) : []
}

function objectText({ properties, unions }: Shape, indent: string): string {
  const lines = properties.map(({ key, type, optional, mediaType }) => {
    const note = mediaType === undefined ? '' : docComment(mediaType, `${indent}  `)
    return `${note}${indent}  ${quoted(key)}${optional ? '?' : ''}: ${type}`
  })
  const object = lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
  if (unions.length === 0) return object
  const parts = unions.map((union) => `(${union})`)
  return lines.length === 0 ? parts.join(' & ') : [object, ...parts].join(' & ')
}

const WIDTH = 100

/** A doc comment in its own lines, at most 100 columns wide unless a word is wider. */
export function docComment(text: string, indent: string): string {
  const words = text.trim().replaceAll('*/', '* /').split(/\s+/)
  const whole = `${indent}/** ${words.join(' ')} */\n`
  if (whole.length <= WIDTH + 1) return whole
  const lines = [`${indent}/**`]
  const start = `${indent} *`
  let line = start
  for (const word of words) {
    if (line !== start && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = start
    }
    line += ` ${word}`
  }
  return [...lines, line, `${indent} */\n`].join('\n')
}

/** A property name as TypeScript writes it. */
export function quoted(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : formatLiteral(key)
}
