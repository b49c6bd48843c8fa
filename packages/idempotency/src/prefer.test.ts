import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { waitOf } from './prefer.ts'

describe('waitOf (RFC 7240 4.3)', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['wait=5', 5],
    ['respond-async, wait=10', 10],
    ['WAIT = 3;x', 3],
    ['wait=1, wait=9', 1],
    ['return=minimal;wait=9', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=x, wait=2', undefined],
    ['waiting=5', undefined],
    ['wait=99999999999999999999', undefined],
  ])('%j: %j', (prefer, seconds) => {
    expect(waitOf(prefer)).toBe(seconds)
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(waitOf(value) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
