import { expect, test } from 'vitest'
import { all, chain, orElse, runSteps, type Steps } from './maybe-promise.ts'

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

test('runSteps stays in the same tick without a promise, and throws rejections where they were yielded', async () => {
  function* add(...terms: unknown[]): Steps<number | string> {
    let sum = 0
    try {
      for (const term of terms) sum += Number(yield term)
    } catch (error) {
      return `after ${sum}: ${(error as Error).message}`
    }
    return sum
  }
  expect(runSteps(add(1, 2))).toBe(3)
  expect(await runSteps(add(1, Promise.resolve(2), 3))).toBe(6)
  expect(await runSteps(add(1, Promise.reject(new Error('failed')), 3))).toBe('after 1: failed')
  function* fail(): Steps<never> {
    yield 1
    throw new Error('failed')
  }
  expect(() => runSteps(fail())).toThrow('failed')
})
