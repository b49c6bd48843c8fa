import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memo } from './memo.ts'

test('reads each text once, also where the result is undefined', () => {
  const reads: string[] = []
  const remember = memo((text) => {
    reads.push(text)
    return text === 'b' ? undefined : text.toUpperCase()
  })
  expect(['a', 'b', 'a', 'b', 'b', '', '', '__proto__', '__proto__'].map(remember)).toEqual([
    'A',
    undefined,
    'A',
    undefined,
    undefined,
    '',
    '',
    '__PROTO__',
    '__PROTO__',
  ])
  expect(reads).toEqual(['a', 'b', '', '__proto__'])
})

test('keeps no long text, and only so many short ones', () => {
  let reads = 0
  const remember = memo((text) => {
    reads++
    return text.length
  })
  const long = 'x'.repeat(257)
  expect([remember(long), remember(long), reads]).toEqual([257, 257, 2])
  for (let at = 0; at < 257; at++) remember(`text ${at}`)
  expect(reads).toBe(259)
  remember('text 0')
  expect(reads).toBe(260)
})

test('answers as the reader does, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const remember = memo((text) => `<${text}>`)
      for (const text of texts) expect(remember(text)).toBe(`<${text}>`)
    }),
  )
})
