import type { Particle } from './model.ts'

type Values = Record<string, unknown>

/**
 * Returns the alternative of a choice that has all properties of a value that any of them has. Two
 * alternatives may share some.
 */
export function findAlternative(present: readonly Particle[], value: Values): Particle | undefined {
  const [only] = present
  if (present.length < 2) return only
  const givenKeys = new Set(
    present.flatMap((member) => keysIn(member)).filter((key) => getProperty(value, key) !== undefined),
  )
  return present.find((member) => {
    const keys = new Set(keysIn(member))
    return [...givenKeys].every((key) => keys.has(key) || isEmptyList(value[key])) && isComplete(member, value)
  })
}

function keysIn(particle: Particle): string[] {
  if (particle.key !== '') return [particle.key]
  return 'members' in particle ? particle.members.flatMap(keysIn) : []
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function isComplete(particle: Particle, value: Values): boolean {
  if (particle.min === 0) return true
  if (particle.key !== '') return particle.max > 1 || getProperty(value, particle.key) !== undefined
  if (!('members' in particle)) return true
  if (particle.kind === 'choice') return particle.members.some((member) => isComplete(member, value))
  return particle.members.every((member) => isComplete(member, value))
}

/** Whether a value has a property of a particle. */
export function isPresent(particle: Particle, value: Values): boolean {
  if (particle.key !== '') {
    const property = getProperty(value, particle.key)
    return Array.isArray(property)
      ? property.length > 0
      : property !== undefined && (property !== null || isNillable(particle))
  }
  return 'members' in particle && particle.members.some((member) => isPresent(member, value))
}

/** Returns a property of a value, without methods that all objects have, such as `toString`. */
export function getProperty(value: Values, key: string): unknown {
  const property = value[key]
  return typeof property === 'function' && !Object.hasOwn(value, key) ? undefined : property
}

export function isNillable(particle: Particle): boolean {
  return particle.kind === 'element' && particle.element.nillable
}
