import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { IdMap } from './id-map.ts'

const anyId = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b') })
const anyWrite = fc.record({ id: anyId, value: fc.option(fc.integer(), { nil: undefined }) })

test.each([
  ['different hashes', Math.imul],
  ['the same hash', () => 7],
])('equals a Map, where ids have %s', (_, imul) => {
  vi.spyOn(Math, 'imul').mockImplementation(imul)
  fc.assert(
    fc.property(fc.array(anyWrite), (writes) => {
      const actual = new IdMap<number>()
      const expected = new Map<string, number>()
      // It forgets the hash of the last id.
      actual.get('another')
      for (const { id, value } of writes) {
        if (value === undefined) {
          actual.delete(id)
          expected.delete(id)
        } else {
          actual.set(id, value)
          expected.set(id, value)
        }
        expect(actual.get(id)).toBe(value)
        expect([actual.size, [...actual.entries()].length]).toEqual([expected.size, expected.size])
        expect(new Map(actual.entries())).toEqual(expected)
        for (const [each, stored] of expected) expect(actual.get(each)).toBe(stored)
      }
    }),
  )
})
