import { expect, test } from 'vitest'
import { remember } from './memo.ts'

function counting() {
  const asked: (string | undefined)[] = []
  const memo = remember((field) => {
    asked.push(field)
    return { field }
  })
  return { asked, memo }
}

test('asks once for the same field, and for an absent one', () => {
  const { asked, memo } = counting()
  for (const field of ['a', 'a', 'b', 'a', 'b', 'c', 'a', undefined, undefined, '', ''])
    expect(memo(field)).toEqual({ field })
  expect(asked).toEqual(['a', 'b', 'c', undefined, ''])
})

test('remembers no field longer than 256 characters', () => {
  const { asked, memo } = counting()
  const long = 'x'.repeat(257)
  expect(memo(long)).toEqual(memo(long))
  expect(asked).toHaveLength(2)
})

test('keeps 200 fields that come in turn', () => {
  const { asked, memo } = counting()
  for (let round = 0; round < 5; round++) for (let at = 0; at < 200; at++) memo(`f${at}`)
  expect(asked).toHaveLength(200)
})

test('forgets all at 256, and keeps a sample alone while nothing comes twice', () => {
  const { asked, memo } = counting()
  for (let at = 0; at < 3000; at++) memo(`f${at}`)
  expect(asked).toHaveLength(3000)
  memo('f0')
  expect(asked).toHaveLength(3001)
  // The sample is enough to see that fields come again.
  for (let round = 0; round < 40; round++) for (let at = 0; at < 100; at++) memo(`g${at}`)
  const before = asked.length
  for (let at = 0; at < 100; at++) memo(`g${at}`)
  expect(asked.length).toBe(before)
})

test('answers fields that look like members of an object', () => {
  const { memo } = counting()
  for (const field of ['__proto__', 'constructor', 'toString']) expect(memo(field)).toEqual({ field })
})
