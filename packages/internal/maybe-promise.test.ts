import { expect, test } from 'vitest'
import { all, chain, orElse } from './maybe-promise.ts'

const double = (value: number): number => value * 2
const failing = (): number => {
  throw new Error('failed')
}

test('chain runs in the same tick for a value, and waits for a promise', async () => {
  expect(chain(2, double)).toBe(4)
  expect(await chain(Promise.resolve(2), double)).toBe(4)
  await expect(chain(Promise.reject(new Error('failed')), double)).rejects.toThrow('failed')
})

test('all returns the values themselves unless one is a promise', async () => {
  const values = [1, 2]
  expect(all(values)).toBe(values)
  expect(await all([1, Promise.resolve(2)])).toEqual([1, 2])
})

test('orElse recovers from a throw and from a rejection', async () => {
  const recover = (error: unknown): string => (error as Error).message
  expect(orElse<string>(() => 'fine', recover)).toBe('fine')
  expect(orElse<string | number>(failing, recover)).toBe('failed')
  expect(await orElse<string>(() => Promise.reject(new Error('later')), recover)).toBe('later')
  expect(await orElse<string>(() => Promise.resolve('fine'), recover)).toBe('fine')
})
