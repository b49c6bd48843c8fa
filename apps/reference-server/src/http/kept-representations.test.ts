import { expect, test } from 'vitest'
import { recentTexts, storeItemTexts } from './kept-representations.ts'

const item = {
  id: 1,
  revision: 1,
  updatedAt: '2026-11-22T00:00:00.000Z',
  name: 'Ada',
  isInUse: false,
  items: [{ id: 1 }],
}

test.each([
  ['the same item', {}, 'a', false],
  ['another revision', { revision: 2 }, 'a', true],
  ['another time', { updatedAt: '2026-11-22T00:00:00.001Z' }, 'a', true],
  ['another computed field', { isInUse: true }, 'a', true],
  ['other lines', { items: [{ id: 2 }] }, 'a', true],
  ['another id', { id: 2 }, 'a', true],
  ['a field more', { city: 'Paris' }, 'a', true],
  ['another version or user', {}, 'b', true],
])('encodes %s: %j with key %s: %s', (_what, change, key, isEncoded) => {
  const reuseText = storeItemTexts()
  expect(reuseText('a', item, () => 'first')).toBe('first')
  expect(reuseText(key, { ...item, ...change }, () => 'second')).toBe(isEncoded ? 'second' : 'first')
})

test('stores what the latest call has encoded', () => {
  const reuseText = storeItemTexts()
  const next = { ...item, revision: 2 }
  reuseText('a', item, () => 'first')
  reuseText('a', next, () => 'second')
  expect(reuseText('a', next, () => 'third')).toBe('second')
  expect(reuseText('a', item, () => 'fourth')).toBe('fourth')
})

const paths = (count: number): string[] => Array.from({ length: count }, (_, id) => `GET /employees/${id}`)

test('a text is recent from its second time on', () => {
  const isRecent = recentTexts(100)
  expect(['a', 'b', 'a', 'b', 'a'].map(isRecent)).toEqual([false, false, true, true, true])
})

test('many other texts push it out', () => {
  const isRecent = recentTexts(100)
  isRecent('a')
  for (const path of paths(10_000)) isRecent(path)
  expect(isRecent('a')).toBe(false)
})

test('few texts stay recent beside each other', () => {
  const isRecent = recentTexts(8000)
  for (const path of paths(500)) isRecent(path)
  expect(paths(500).filter(isRecent).length).toBeGreaterThan(450)
})

test('texts that come once each are not recent', () => {
  const isRecent = recentTexts(8000)
  expect(paths(50_000).filter(isRecent)).toEqual([])
})
