import { memoize } from '../../internal/memoize.ts'

// The codes of an app are few, and each of its errors has one.
const matches = memoize((text: string) => /^[A-Z][A-Z0-9_]{0,63}$/.test(text))

/** Whether a value is a name in UPPER_SNAKE case of at most 64 characters. */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && matches(value)
}
