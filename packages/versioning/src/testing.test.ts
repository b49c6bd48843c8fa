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
  test('counts the conversions of correct changes', () => {
    expect(checkRoundTrip(sound, samples)).toBe(4)
    expect(checkRoundTrip(sound, {})).toBe(0)
  })

  test('detects a property that an older version loses', () => {
    const api = makeApi(
      () => ({ b: 1 }),
      ({ b }) => ({ a: b }),
    )
    expect(() => checkRoundTrip(api, samples)).toThrow(
      '1 of 4 conversions failed:\nthing 1 → 3 → 1: {"a":2,"c":[1]} became {"a":1}',
    )
  })

  test('detects a transform that modifies its argument', () => {
    const api = makeApi(
      (body) => Object.assign(body, { b: body.a }),
      ({ b }) => ({ a: b }),
    )
    expect(() => checkRoundTrip(api, { thing: { '1': [{ a: 1 }] } })).toThrow(/threw TypeError: Cannot add property b/)
  })

  test('detects a newest body that cannot be converted', () => {
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

  test('requires every property to survive with lossless', () => {
    expect(() => checkRoundTrip(sound, samples, { lossless: true })).toThrow(
      'thing 3 → 1 → 3: {"b":1,"note":"new"} became {"b":1}',
    )
  })

  test('rejects samples of an unsupported version', () => {
    expect(() => checkRoundTrip(sound, { thing: { '9': [] } } as never)).toThrow(
      'samples of thing must be of supported versions, got "9"',
    )
  })
})
