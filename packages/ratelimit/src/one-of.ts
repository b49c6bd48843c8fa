import { inspectValue } from '../../internal/options.ts'

/** Throws unless the value is one of the words. */
export function oneOf<T extends string>(option: string, value: T, words: readonly T[]): T {
  if (words.includes(value)) return value
  throw new TypeError(`ratelimit: ${option} must be one of ${words.join(', ')}, got ${inspectValue(value)}`)
}
