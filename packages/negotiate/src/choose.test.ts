import { encoding, language, mediaType, notAcceptable, offers } from '@svc/negotiate'
import { charset, chooseVariant, rankEncodings, rankLanguages, rankMediaTypes } from '@svc/negotiate/variants'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'

const types = ['application/json', 'text/csv'] as const

describe('sources of a header', () => {
  const sources = {
    text: 'text/csv',
    'node:http': { headers: { accept: 'text/csv' } },
    'a repeated field': { headers: { accept: ['text/csv', 'image/png'] } },
    Fetch: new Request('http://a/', { headers: { Accept: 'text/csv' } }),
    'a request with a field called get': { headers: { accept: 'text/csv', get: 'x' } },
  }
  test.each(Object.entries(sources))('%s', (_name, source) => {
    expect(mediaType(source, types)).toBe('text/csv')
  })

  test.each([undefined, null, { headers: {} }, new Request('http://a/')])(
    'defaults to the first offer: %j',
    (source) => {
      expect(mediaType(source, types)).toBe('application/json')
      expect(charset(source, ['utf-8'])).toBe('utf-8')
      expect(language(source, ['de', 'en'])).toBe('de')
      expect(encoding(source, ['br'])).toBe('identity')
    },
  )
})

describe('offers', () => {
  test('return the union of their values', () => {
    expectTypeOf(mediaType('*/*', ['application/json', 'text/csv'])).toEqualTypeOf<
      'application/json' | 'text/csv' | undefined
    >()
    expectTypeOf(mediaType('*/*', offers(['a/b']))).toEqualTypeOf<'a/b' | undefined>()
    expectTypeOf(encoding('', ['br'])).toEqualTypeOf<'br' | 'identity' | undefined>()
    // @ts-expect-error the default must be one of the offers
    expect(() => language('x', ['en', 'de'], { default: 'fr' })).toThrow(
      'negotiate: language: default must be one of the offers, got "fr"',
    )
  })

  test('can be changed after their first use', () => {
    const list: string[] = ['a/a', 'b/b']
    expect(mediaType('b/b', list)).toBe('b/b')
    list[1] = 'c/c'
    expect([mediaType('b/b', list), mediaType('c/c', list)]).toEqual([undefined, 'c/c'])
    list.push('b/b')
    expect(mediaType('b/b', list)).toBe('b/b')
  })

  test('of one list work for every dimension, and have their options', () => {
    const list = offers(['gzip'])
    expect([encoding('gzip', list), charset('gzip', list), language('gzip', list)]).toEqual(['gzip', 'gzip', 'gzip'])
    expect(mediaType('b/b, a/a', offers(['a/a', 'b/b'], { tieBreaker: 'client' }))).toBe('b/b')
    expect(() => mediaType('a/a', offers(['a/a']), { tieBreaker: 'client' })).toThrow(TypeError)
  })

  test('throw if they are invalid', () => {
    expect(() => mediaType('*/*', ['json'])).toThrow(
      new TypeError('negotiate: mediaType: an offer must be a media type, got "json"'),
    )
    expect(() => encoding('*', ['b r'])).toThrow(
      new TypeError('negotiate: encoding: an offer must be a token, got "b r"'),
    )
    expect(() => language('*', ['en_GB'])).toThrow(
      new TypeError('negotiate: language: an offer must be a language tag, got "en_GB"'),
    )
    expect(() => mediaType('*/*', ['a/b'], { strickt: true } as object)).toThrow('did you mean "strict"?')
    expect(mediaType('*/*', [])).toBeUndefined()
  })
})

describe('options of the functions that choose', () => {
  test('tieBreaker: client follows the order of the header', () => {
    expect(mediaType('b/b, a/a', ['a/a', 'b/b'], { tieBreaker: 'client' })).toBe('b/b')
    expect(encoding('gzip, br', ['br', 'gzip'], { tieBreaker: 'client' })).toBe('gzip')
    expect(encoding('gzip, identity', ['identity', 'gzip'])).toBe('identity')
    expect(encoding('gzip, identity', ['gzip'])).toBe('gzip')
    expect(encoding('gzip', ['identity', 'gzip'])).toBe('gzip')
    expect(language('de, en', ['en', 'de'], { tieBreaker: 'server' })).toBe('en')
    expect(charset('b, a', ['a', 'b'], { tieBreaker: 'client' })).toBe('b')
  })

  test('strict omits items outside the grammar', () => {
    expect(mediaType('a/a;q=.5, b/b;q=0.1', ['a/a', 'b/b'], { strict: true })).toBe('b/b')
    expect(encoding('br;q=1.5, gzip;q=0.1', ['br', 'gzip'], { strict: true })).toBe('gzip')
  })

  test('ignoreParameters ignores parameters that the offer does not have', () => {
    const accept = 'application/json; charset=ISO-8859-1; profile=x'
    const of = (offer: string, ignoreParameters?: string[]) =>
      mediaType(accept, [offer], ignoreParameters && { ignoreParameters })
    expect(of('application/json')).toBeUndefined()
    expect(of('application/json', ['charset', 'PROFILE'])).toBe('application/json')
    expect(of('application/json; charset=utf-8', ['charset', 'profile'])).toBeUndefined()
  })

  test('aliases match a range of another type, with less weight than the type itself', () => {
    const options = { aliases: { 'application/hal+json': ['application/json'] } }
    const of = (accept: string) => mediaType(accept, ['application/hal+json'], options)
    expect([of('application/json'), of('text/csv')]).toEqual(['application/hal+json', undefined])
    expect(of('application/json, application/hal+json;q=0')).toBeUndefined()
    expect(mediaType('application/json', ['application/hal+json'])).toBeUndefined()
  })

  test('default: false chooses only a language that the client requested', () => {
    const of = (field: string | undefined) => language(field, ['en', 'de'], { default: false })
    expect([of('fr'), of('fr, *'), of('*'), of(undefined), of(''), of('de-AT')]).toEqual([
      undefined,
      'en',
      'en',
      'en',
      'en',
      'de',
    ])
    expect(language('fr', ['en', 'de'], { default: 'de' })).toBe('de')
    expect(language('fr, de;q=0', ['en', 'de'], { default: 'de' })).toBe('en')
    expect(language('en;q=0, de;q=0', ['en', 'de'])).toBe('en')
  })
})

describe('ranking', () => {
  test('returns for every offer the range that decided, and whether the client named it', () => {
    const ranking = rankMediaTypes('text/*;q=0.5, text/csv;header=present;q=0.9;indent=4, */*;q=0.1, image/png;q=0', [
      'image/png',
      'text/html',
      'text/csv;header=present',
      'a/b',
    ])
    expect(
      ranking.map(({ value, q, explicit, range, index, order }) => ({ value, q, explicit, range, index, order })),
    ).toEqual([
      {
        value: 'text/csv;header=present',
        q: 0.9,
        explicit: true,
        range: 'text/csv;header=present;q=0.9;indent=4',
        index: 2,
        order: 1,
      },
      { value: 'text/html', q: 0.5, explicit: false, range: 'text/*;q=0.5', index: 1, order: 0 },
      { value: 'a/b', q: 0.1, explicit: false, range: '*/*;q=0.1', index: 3, order: 2 },
      { value: 'image/png', q: 0, explicit: true, range: 'image/png;q=0', index: 0, order: 3 },
    ])
    expect(ranking[0]?.parameters.get('indent')).toBe('4')
    expect(rankMediaTypes(undefined, types).map(({ q, range }) => [q, range])).toEqual([
      [1, undefined],
      [1, undefined],
    ])
  })

  test('begins with the choice, for any header', () => {
    const field = fc.string({ unit: fc.constantFrom(...'abdeqnr*/;=,.01- ') })
    fc.assert(
      fc.property(field, (text) => {
        const list = ['a/b', 'a/d', 'd/e;q2=1']
        const [media] = rankMediaTypes(text, list)
        expect(media && media.q > 0 ? media.value : undefined).toBe(mediaType(text, list))
        expect(rankEncodings(text, ['br', 'a'])[0]?.value ?? '').toBe(
          encoding(text, ['br', 'a']) ?? rankEncodings(text, ['br', 'a'])[0]?.value,
        )
        expect(rankLanguages(text, ['de', 'en'])[0]?.value).toBe(language(text, ['de', 'en']))
      }),
    )
  })

  test('is the same when repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a/b', 'a/*', '*/*;q=0.1', 'c/d;q=0', 'c/d;x=1')), (members) => {
        const compiled = offers(['a/b', 'c/d', 'c/d;x=1'])
        const first = rankMediaTypes(members.join(), compiled)
        expect(rankMediaTypes(members.join(), compiled)).toEqual(first)
      }),
    )
  })
})

test('chooseVariant chooses in all dimensions, with the headers that decided', () => {
  const req = { headers: { accept: 'text/html', 'accept-language': 'de', 'accept-encoding': 'br' } }
  const variant = chooseVariant(req, { types: ['a/b', 'text/html'], languages: ['en', 'de'], encodings: ['br'] })
  expect(variant).toEqual({
    type: 'text/html',
    language: 'de',
    encoding: 'br',
    charset: undefined,
    vary: ['Accept', 'Accept-Language', 'Accept-Encoding'],
  })
  expectTypeOf(variant.type).toEqualTypeOf<'a/b' | 'text/html' | undefined>()
})

test('a 406 lists what is available (RFC 9110 §15.5.7)', () => {
  const error = notAcceptable(types, { href: '/cafés/a%20b?a=b>"' })
  expect(error).toMatchObject({
    status: 406,
    code: 'ERR_NEGOTIATE_NOT_ACCEPTABLE',
    expose: true,
    available: types,
    headers: {
      Vary: 'Accept',
      Link: '</caf%C3%A9s/a%20b?a=b%3E%22>; rel="alternate"; type="application/json", </caf%C3%A9s/a%20b?a=b%3E%22>; rel="alternate"; type="text/csv"',
    },
  })
  expect(error.message).toContain('application/json, text/csv')
  expect(notAcceptable(offers(['br']), { vary: ['Accept-Encoding'] }).headers).toEqual({ Vary: 'Accept-Encoding' })
})
