import { attributeOf } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { partsOf, referenceOf, type Source } from './components.ts'
import { elementDeclaration } from './element.ts'
import { type Content, type GroupParticle, listsOf, type Particle } from './model.ts'
import type { TypeTable } from './types.ts'
import { wildcardOf } from './wildcard.ts'

const GROUPS = ['sequence', 'choice', 'all', 'group']

/** The content of a complex type: that of the base it extends, followed by its own (XSD part 1, 3.4.2). */
export function contentOf(source: Source, table: TypeTable, base: Content | undefined): Content {
  if (base?.kind === 'simple') return base
  const model = partsOf(source).find(({ node }) => GROUPS.includes(node.local))
  const inherited = base?.kind === 'elements' ? [base.particle] : []
  const own = model ? [groupParticle(model, table)] : []
  const particles = [...inherited, ...own]
  const [only] = particles
  if (only === undefined) return { kind: 'empty' }
  const once = { min: 1, max: 1, key: '' }
  const particle: GroupParticle =
    particles.length === 1 ? only : { kind: 'sequence', members: particles, ...once, lists: listsOf(particles) }
  checkKeys(particle)
  return { kind: 'elements', particle, lists: listsOf([particle]) }
}

function groupParticle(source: Source, table: TypeTable): GroupParticle {
  const { node } = source
  const occurrence = occurrenceOf(source)
  if (node.local === 'group') {
    const name = referenceOf(source, 'ref')
    const group = name && table.components.find('group', name)
    const model = group && partsOf(group)[0]
    if (!model) throw new TypeError(`the schema has no group ${name ? clark(name) : ''}`)
    return { ...groupParticle(model, table), ...occurrence, key: occurrence.max > 1 ? 'items' : '' }
  }
  const members = partsOf(source).map((part) => particleOf(part, table))
  const kind = node.local === 'choice' ? 'choice' : node.local === 'all' ? 'all' : 'sequence'
  return { kind, members, ...occurrence, key: occurrence.max > 1 ? 'items' : '', lists: listsOf(members) }
}

function particleOf(source: Source, table: TypeTable): Particle {
  const { node } = source
  if (node.local === 'any') return { kind: 'any', wildcard: wildcardOf(source), ...occurrenceOf(source), key: 'any' }
  if (node.local !== 'element') return groupParticle(source, table)
  const element = elementDeclaration(source, table)
  return { kind: 'element', element, ...occurrenceOf(source), key: element.local }
}

function occurrenceOf({ node }: Source): { min: number; max: number } {
  const max = attributeOf(node, '', 'maxOccurs') ?? '1'
  return {
    min: Number(attributeOf(node, '', 'minOccurs') ?? '1'),
    max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max),
  }
}

/** Each member of a sequence is a property of one object: names that meet there would overwrite each other. */
function checkKeys(particle: Particle): string[] {
  if (particle.kind === 'element' || particle.kind === 'any') return [particle.key]
  const lists = particle.members.map(checkKeys)
  const keys = lists.flat()
  const twice = particle.kind === 'choice' ? undefined : keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new TypeError(`the name "${twice}" stands twice in one ${particle.kind}`)
  if (keys.includes('__proto__')) throw new TypeError('a name "__proto__" is not supported')
  return particle.key === '' ? [...new Set(keys)] : [particle.key]
}
