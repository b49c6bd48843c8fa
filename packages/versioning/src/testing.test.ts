import { versioning } from '@svc/versioning'
import { checkRoundTrip } from '@svc/versioning/testing'
import { describe, expect, test } from 'vitest'

function makeApi(up: (body: { a: number }) => object, down: (body: { b: number; note?: string }) => object) {
  const api = versioning({ versions: ['1', '2', '3'] })
  api.addChange('2', { description: 'a is b now.', resource: 'thing', up, down })
  return api
}

const sound = makeApi(
  ({ a, ...rest }) => ({ ...rest, b: a }),
  ({ b, note: _note, ...rest }) => ({ ...rest, a: b }),
)
const samples = { thing: { '1': [{ a: 1 }, { a: 2, c: [1] }], '3': [{ b: 1, note: 'new' }] } } as const

describe('checkRoundTrip', () => {
  test('goes every way of sound changes and counts them', () => {
    expect(checkRoundTrip(sound, samples)).toBe(4)
    expect(checkRoundTrip(sound, {})).toBe(0)
  })

  test('finds what an older version loses', () => {
    const api = makeApi(
      () => ({ b: 1 }),
      ({ b }) => ({ a: b }),
    )
    expect(() => checkRoundTrip(api, samples)).toThrow(
      '1 of 4 ways fail:\nthing 1 → 3 → 1: {"a":2,"c":[1]} became {"a":1}',
    )
  })

  test('finds a transform that changes what it gets', () => {
    const api = makeApi(
      (body) => Object.assign(body, { b: body.a }),
      ({ b }) => ({ a: b }),
    )
    expect(() => checkRoundTrip(api, { thing: { '1': [{ a: 1 }] } })).toThrow(/threw TypeError: Cannot add property b/)
  })

  test('finds what a newest body cannot be shown as', () => {
    const api = makeApi(
      ({ a }) => ({ b: a }),
      ({ note }) => ({ a: note?.length.toFixed() }),
    )
    expect(() => checkRoundTrip(api, { thing: { '3': [{ b: 1, note: 'abc' }] } })).toThrow('thing 3 → 1 → 3 → 1')
    const broken = makeApi(
      ({ a }) => ({ b: a }),
      () => {
        throw new RangeError('no way down')
      },
    )
    expect(() => checkRoundTrip(broken, { thing: { '3': [{}] } })).toThrow(
      'thing 3 → 1 → 3 → 1: {} threw RangeError: no way down',
    )
  })

  test('demands every field back where it must be lossless', () => {
    expect(() => checkRoundTrip(sound, samples, { lossless: true })).toThrow(
      'thing 3 → 1 → 3: {"b":1,"note":"new"} became {"b":1}',
    )
  })

  test('refuses samples of a version that is not served', () => {
    expect(() => checkRoundTrip(sound, { thing: { '9': [] } } as never)).toThrow(
      '"9" of thing is not a supported version',
    )
  })
})
