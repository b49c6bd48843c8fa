import { findLists, type GroupParticle, type Particle } from './model.ts'

/** The properties of one object, each with the namespace of the elements that it holds. */
type Keys = Map<string, string>

/**
 * Gives each particle the property under which its values are. The members of a group that is not
 * repeated are properties of the same object: a name that comes twice there gets a number (`line`,
 * `line2`), unless it is in two alternatives of a choice, of which a message has one.
 *
 * @param inherited - content of the base type, which has its keys already and comes first
 */
export function assignKeys(particle: GroupParticle, inherited: GroupParticle | undefined): void {
  const taken: Keys = new Map()
  if (inherited) collect(inherited, taken)
  assign(particle, taken, taken)
}

/**
 * @param before - the properties that are taken; @param shared - those that other alternatives may
 * have too
 */
function assign(particle: Particle, before: Keys, shared: Keys): void {
  if (particle.kind === 'element' || particle.kind === 'any') {
    particle.key = freeKey(particle, particle.key, before, shared)
    return
  }
  if (particle.key === '') assignMembers(particle, before, shared)
  else {
    particle.key = freeKey(particle, particle.key, before, shared)
    assignMembers(particle, new Map(), new Map())
  }
}

function assignMembers(group: GroupParticle, before: Keys, shared: Keys): void {
  if (group.kind !== 'choice') for (const member of group.members) assign(member, before, shared)
  else {
    const all: Keys = new Map(shared)
    for (const member of group.members) {
      const branch: Keys = new Map(before)
      assign(member, branch, all)
      for (const [key, uri] of branch) all.set(key, uri)
    }
    for (const [key, uri] of all) before.set(key, uri)
  }
  group.lists = findLists(group.members)
}

function freeKey(particle: Particle, wanted: string, before: Keys, shared: Keys): string {
  if (wanted === '__proto__') throw new TypeError('soap-envelope: an element named __proto__ is not supported')
  // In two alternatives of a choice a property may be the same only if it holds the same element,
  // as often.
  const identity = `${particle.kind === 'element' ? particle.element.uri : particle.kind} ${particle.max > 1}`
  let key = wanted
  for (let number = 2; before.has(key) || (shared.get(key) ?? identity) !== identity; number++)
    key = `${wanted}${number}`
  before.set(key, identity)
  if (shared !== before) shared.set(key, identity)
  return key
}

function collect(particle: Particle, keys: Keys): void {
  if (particle.key !== '') keys.set(particle.key, '')
  else if ('members' in particle) for (const member of particle.members) collect(member, keys)
}
