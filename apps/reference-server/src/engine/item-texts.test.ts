import { expect, test } from 'vitest'
import { storeItemTexts } from './item-texts.ts'

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
