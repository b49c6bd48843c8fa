import { getAttribute } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { findParts, findReference } from './components.ts'
import { elementDeclaration } from './element.ts'
import {
  type Content,
  type ElementDeclaration,
  elementContent,
  findLists,
  type GroupParticle,
  type Particle,
} from './model.ts'
import { assignKeys } from './particle-keys.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'
import { readWildcard } from './wildcard.ts'

const GROUPS = ['sequence', 'choice', 'all', 'group']

/** Whether a type, an extension or a restriction has a model of its content. */
export function hasModel(source: Source): boolean {
  return findParts(source).some(({ node }) => GROUPS.includes(node.local))
}

/**
 * The content of a complex type: that of the base it extends, followed by its own (XSD part 1,
 * 3.4.2).
 */
export function readContent(source: Source, table: TypeTable, base: Content | undefined, mixed: boolean): Content {
  if (base?.kind === 'simple') return base
  const model = findParts(source).find(({ node }) => GROUPS.includes(node.local))
  const inherited = base && 'particle' in base ? base.particle : undefined
  const addition = model ? groupParticle(model, table) : undefined
  const particles = [inherited, addition].filter((particle) => particle !== undefined)
  const [only] = particles
  if (only === undefined) return mixed ? { kind: 'mixed', particle: undefined } : { kind: 'empty' }
  const particle: GroupParticle =
    particles.length === 1 ? only : { kind: 'sequence', members: particles, min: 1, max: 1, key: '', lists: [] }
  if (addition) assignKeys(addition, inherited)
  particle.lists = particles.length === 1 ? particle.lists : findLists(particles)
  return mixed ? { kind: 'mixed', particle } : elementContent(particle, findLists([particle]))
}

function groupParticle(source: Source, table: TypeTable): GroupParticle {
  const { node } = source
  const occurrence = readOccurrence(source)
  const key = occurrence.max > 1 ? 'items' : ''
  if (node.local === 'group') {
    const name = findReference(source, 'ref')
    const group = name && table.components.find('group', name)
    const model = group && findParts(group)[0]
    if (!model) throw new TypeError(`soap-envelope: the schema has no group ${name ? clark(name) : ''}`)
    return { ...groupParticle(model, table), ...occurrence, key }
  }
  const members = findParts(source)
    .map((part) => readParticle(part, table))
    .filter(({ max }) => max > 0)
  const kind = node.local === 'choice' ? 'choice' : node.local === 'all' ? 'all' : 'sequence'
  return { kind, members, ...occurrence, key, lists: [] }
}

function readParticle(source: Source, table: TypeTable): Particle {
  const { node } = source
  const occurrence = readOccurrence(source)
  if (node.local === 'any') return { kind: 'any', wildcard: readWildcard(source), ...occurrence, key: 'any' }
  if (node.local !== 'element') return groupParticle(source, table)
  const element = elementDeclaration(source, table)
  const substitutes = findReference(source, 'ref') ? table.substitutesOf(element) : []
  if (substitutes.length === 0) return { kind: 'element', element, ...occurrence, key: element.local }
  return substitutionParticle(element, substitutes, occurrence)
}

/**
 * Any element of a substitution group may stand for its head: a choice of them, under the name of
 * the head.
 */
function substitutionParticle(
  head: ElementDeclaration,
  substitutes: readonly ElementDeclaration[],
  occurrence: { min: number; max: number },
): GroupParticle {
  const alternatives = head.abstract ? substitutes : [head, ...substitutes]
  const members = alternatives.map(
    (element): Particle => ({ kind: 'element', element, min: 1, max: 1, key: element.local }),
  )
  return { kind: 'choice', members, ...occurrence, key: head.local, lists: [] }
}

function readOccurrence({ node }: Source): { min: number; max: number } {
  const max = (getAttribute(node, '', 'maxOccurs') ?? '1').trim()
  const occurrence = {
    min: Number(getAttribute(node, '', 'minOccurs') ?? '1'),
    max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max),
  }
  if (occurrence.min <= occurrence.max) return occurrence
  throw new TypeError(`soap-envelope: the schema has minOccurs ${occurrence.min} with maxOccurs ${occurrence.max}`)
}
