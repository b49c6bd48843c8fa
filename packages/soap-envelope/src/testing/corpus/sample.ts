import {
  type ComplexType,
  type ElementDeclaration,
  isDerivedFrom,
  isEmptiable,
  isUntyped,
  type Particle,
  type Type,
} from '../../schema/model.ts'
import { Invalid, readSimple, type SimpleType } from '../../schema/simple-type.ts'
import { writeElement } from '../../schema/write-element.ts'
import type { XmlElement } from '../../xml/element.ts'
import { DOCUMENT_LIMITS } from '../../xml/limits.ts'
import { clark } from '../../xml/names.ts'
import { treeReader } from '../../xml/tree.ts'

/** Optional parts of a sample: as few as possible, or all. */
export type Fullness = 'least' | 'full'

interface Making {
  readonly fullness: Fullness
  readonly types: readonly Type[]
  readonly depth: number
}

const TEXTS = [
  'a',
  '7',
  '42',
  '100',
  'true',
  'A1',
  'ABC-123',
  'x y',
  'de-AT',
  'urn:x',
  '12.50',
  '1.5E3',
  'abcdef',
  'de',
  '2026-11-21',
  '2026-11-21T07:30:00Z',
  '07:30:00',
  'P1Y2M',
  'P3D',
  '2026',
  '2026-11',
  '--11',
  '--11-21',
  '---21',
  'AAECAw==',
  '00ff',
  '1 2 3',
  'one two',
  '0',
  '-5',
  '',
  '٣',
  'EUR',
  'DE123456789',
  '+43 1 234',
  'o:x',
  'NEW',
  't:gif',
  '99999999999',
]

const SCOPE = parse('<s xmlns:o="urn:other" xmlns:t="urn:corpus"/>')

/** Parses an element. */
export function parse(xml: string): XmlElement {
  const reader = treeReader({ limits: DOCUMENT_LIMITS })
  reader.write(xml)
  return reader.end()
}

/** A value of an element, made from its declaration only. */
export function createSample(declaration: ElementDeclaration, types: readonly Type[], fullness: Fullness): unknown {
  return sampleValue(declaration, { fullness, types, depth: 0 })
}

function sampleValue({ type, nillable, fixed }: ElementDeclaration, making: Making): unknown {
  if (nillable && making.fullness === 'least') return null
  if (type.kind === 'simple') return isUntyped(type) ? 'text' : simpleValue(type, fixed)
  if (isUntyped(type)) {
    if (making.fullness === 'least') return 'text'
    return { '@any': [{ uri: 'urn:other', local: 'k', value: '1' }], content: ['a ', other(), ' b'] }
  }
  const derived = making.types.find(
    (candidate): candidate is ComplexType =>
      candidate.kind === 'complex' && candidate !== type && !candidate.abstract && isDerivedFrom(candidate, type),
  )
  if ((type.abstract || making.fullness === 'full') && derived?.name && making.depth < 3) {
    const $type = derived.name.uri === type.name?.uri ? derived.name.local : clark(derived.name)
    return { ...complexValue(derived, making), $type }
  }
  return complexValue(type, making)
}

function complexValue(type: ComplexType, making: Making): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const use of type.attributes) {
    // An xs:ID is unique in its document.
    if (use.type.name === 'ID' && !use.required) continue
    if (use.required || making.fullness === 'full' || use.default !== undefined || use.fixed !== undefined)
      values[use.key] = simpleValue(use.type, use.fixed ?? use.default)
  }
  const { content, anyAttribute } = type
  if (anyAttribute?.allows('urn:other') && anyAttribute.process !== 'strict' && making.fullness === 'full')
    values['@any'] = [{ uri: 'urn:other', local: 'k', value: '1' }]
  const inner = { ...making, depth: making.depth + 1 }
  if (content.kind === 'simple') values['value'] = simpleValue(content.type, undefined)
  if (content.kind === 'mixed') values['content'] = mixedContent(content.particle, inner)
  if (content.kind === 'elements') {
    for (const key of content.lists) values[key] = []
    addParticle(content.particle, values, inner)
  }
  return values
}

function addParticle(particle: Particle, values: Record<string, unknown>, making: Making): void {
  const { key, min, max } = particle
  const isWanted = making.fullness === 'full' && making.depth < 4
  const count = isWanted ? Math.min(max, Math.max(min, max > 1 ? 2 : 1)) : isEmptiable(particle) ? 0 : min
  if (key === '') {
    if (count > 0 || min > 0) addMembers(particle, values, making)
    return
  }
  const items = Array.from({ length: count }, () => sampleItem(particle, making))
  if (max > 1) values[key] = items
  else if (count > 0) values[key] = items[0]
}

function sampleItem(particle: Particle, making: Making): unknown {
  if (particle.kind === 'element') return sampleValue(particle.element, making)
  if (particle.kind === 'any') return other()
  const values: Record<string, unknown> = {}
  for (const list of particle.lists) values[list] = []
  addMembers(particle, values, making)
  return values
}

function addMembers(particle: Particle, values: Record<string, unknown>, making: Making): void {
  if (!('members' in particle)) return
  if (particle.kind !== 'choice') for (const member of particle.members) addParticle(member, values, making)
  else {
    const branch = making.fullness === 'full' ? particle.members.at(-1) : particle.members[0]
    if (branch) addParticle(branch, values, making)
  }
}

function mixedContent(particle: Particle | undefined, making: Making): (string | XmlElement)[] {
  const [member] = particle && 'members' in particle ? particle.members : []
  if (
    (making.fullness === 'least' && (!particle || isEmptiable(particle))) ||
    member?.kind !== 'element' ||
    member.element.type.kind !== 'simple'
  )
    return ['text & more']
  const { uri, local, type } = member.element
  const text = readSimple(type, 'a', SCOPE) instanceof Invalid ? '7' : 'a'
  return [
    'one ',
    parse(
      `<m:${local} xmlns:m="${uri}">${text}</m:${local}>`.replace(
        /xmlns:m=""|m:(?=\w+( xmlns:m="")?)/g,
        uri === '' ? '' : '$&',
      ),
    ),
    ' two',
  ]
}

function other(): XmlElement {
  return parse('<o:x xmlns:o="urn:other" o:k="1">text<o:y>&lt;</o:y></o:x>')
}

function simpleValue(type: SimpleType, text: string | undefined): unknown {
  for (const candidate of text === undefined ? TEXTS : [text]) {
    const value = readSimple(type, candidate, SCOPE)
    if (!(value instanceof Invalid)) return value
  }
  throw new Error(`there is no sample of ${type.name}`)
}

/** A value with its elements as text, to be compared: an element knows the ones around it. */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if ('children' in value) return writeElement(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]))
}

/** A value as TypeScript source. */
export function writeSource(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `new Uint8Array([${[...value].join()}])`
  if (Array.isArray(value)) return `[${value.map(writeSource).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if ('children' in value) return '({} as XmlElement)'
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${writeSource(inner)}`)
    .join(', ')} }`
}
