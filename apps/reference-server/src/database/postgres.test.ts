import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batch, oncePerTurn } from './postgres.ts'

test('work begins when all calls of the turn were made, and once for each turn', async () => {
  const runs: ((result: number) => void)[] = []
  const work = oncePerTurn(() => new Promise<number>((resolve) => void runs.push(resolve)))
  const first = [work(), work()]
  await Promise.resolve()
  first.push(work())
  expect(runs).toHaveLength(0)
  await setImmediate()
  const later = work()
  await setImmediate()
  expect(runs).toHaveLength(2)
  runs[1]?.(2)
  runs[0]?.(1)
  expect(await Promise.all([...first, later])).toEqual([1, 1, 1, 2])
})

test('a failure is that of all calls of its turn, and of no other', async () => {
  const reason = new Error('failed')
  const runs = [() => Promise.reject(reason), () => Promise.resolve('done')]
  const work = oncePerTurn(() => runs.shift()?.() ?? Promise.resolve('too often'))
  expect(await Promise.allSettled([work(), work()])).toMatchObject([{ reason }, { reason }])
  expect(await work()).toBe('done')
})

test('keys of a turn are read together, equal ones once', async () => {
  const asked: string[][] = []
  const find = batch((keys: readonly string[]) => {
    asked.push([...keys])
    const found = keys.filter((key) => key !== 'missing')
    return Promise.resolve(new Map(found.map((key) => [key, key.toUpperCase()])))
  })
  expect(await Promise.all(['a', 'missing', 'b', 'a'].map(find))).toEqual(['A', undefined, 'B', 'A'])
  expect(await find('a')).toBe('A')
  expect(asked).toEqual([['a', 'missing', 'b'], ['a']])
})
