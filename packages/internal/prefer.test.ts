import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Prefer, parsePrefer } from './prefer.ts'
import { anyText } from './testing/any-text.ts'

const NONE: Prefer = { return: undefined, handling: undefined, respondAsync: false, waitSeconds: undefined }

describe('parsePrefer (RFC 7240 §2, §4)', () => {
  test.each<[string | undefined, Partial<Prefer>]>([
    [undefined, {}],
    ['', {}],
    ['wait=5', { waitSeconds: 5 }],
    ['respond-async, wait=10', { respondAsync: true, waitSeconds: 10 }],
    ['WAIT = 3;x', { waitSeconds: 3 }],
    ['wait="7"', { waitSeconds: 7 }],
    ['wait=1, wait=9', { waitSeconds: 1 }],
    ['return=minimal;wait=9', { return: 'minimal' }],
    ['return=representation, return=minimal', { return: 'representation' }],
    ['return=everything', {}],
    ['Return="minimal"', { return: 'minimal' }],
    ['handling=lenient', { handling: 'lenient' }],
    ['handling=strict; a="b, c", respond-async=""', { handling: 'strict', respondAsync: true }],
    ['wait', {}],
    ['wait=', {}],
    ['wait=-1', {}],
    ['wait=1.5', {}],
    ['wait=x, wait=2', {}],
    ['waiting=5', {}],
    ['wait=99999999999999999999', {}],
    ['__proto__=1, constructor', {}],
    [`${'a,'.repeat(40)}wait=5`, {}],
  ])('%j: %j', (header, expected) => {
    expect(parsePrefer(header)).toEqual({ ...NONE, ...expected })
  })

  test('never throws', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        expect(parsePrefer(value).waitSeconds ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
