import { accepts } from '@svc/negotiate/accepts'
import { Negotiator } from '@svc/negotiate/negotiator'
import acceptsPeer from 'accepts'
import fc from 'fast-check'
import NegotiatorPeer from 'negotiator'
import { describe, expect, test } from 'vitest'
import { EXTENSIONS } from './extensions.ts'

type Dimension = 'mediaTypes' | 'languages' | 'charsets' | 'encodings'

const FIELD = {
  mediaTypes: 'accept',
  languages: 'accept-language',
  charsets: 'accept-charset',
  encodings: 'accept-encoding',
}

function answers(
  dimension: Dimension,
  field: string | undefined,
  offers?: string[],
): { ours: string[]; peers: string[] } {
  const headers: Record<string, string> = field === undefined ? {} : { [FIELD[dimension]]: field }
  return {
    ours: new Negotiator({ headers })[dimension](offers),
    peers: new NegotiatorPeer({ headers })[dimension](offers),
  }
}

const weight = fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.123', ';q=1', '; q=0.9', ';q=1.000')
const fieldOf = (names: readonly string[], one: (name: string) => string = (name) => name) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), weight), {
      selector: ([name]) => one(name),
      minLength: 1,
      maxLength: 6,
    })
    .map((members) => members.map(([name, q]) => name + q).join(', '))
const offersOf = (names: readonly string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 6 })

describe('Negotiator returns what negotiator returns', () => {
  const types = ['text/html', 'text/plain', 'application/json', 'application/xml', 'image/png']
  const ranges = [
    ...types,
    '*/*',
    'text/*',
    'application/*',
    'TEXT/HTML;level=1',
    'text/plain;format=flowed',
    'a/b;x="1"',
  ]
  const offered = [...types, 'text/html;level=1', 'text/plain;format=flowed;charset=utf-8', 'a/b;x=1']
  const languages = ['en', 'en-US', 'en-GB', 'de', 'de-CH', 'pt-BR', 'pt', 'zh-Hant']
  const names = ['utf-8', 'iso-8859-1', 'US-ASCII', '*']
  const codings = ['gzip', 'br', 'deflate', 'identity', 'zstd', '*']
  const primary = (range: string): string => range.split('-')[0] ?? ''
  const rows: [Dimension, fc.Arbitrary<string>, readonly string[]][] = [
    ['mediaTypes', fieldOf(ranges), offered],
    ['languages', fc.oneof(fieldOf(languages, primary), fc.constant('*')), languages],
    ['charsets', fieldOf(names), ['utf-8', 'iso-8859-1', 'us-ascii', 'koi8-r']],
    ['encodings', fieldOf(codings), ['gzip', 'br', 'deflate', 'identity', 'compress']],
  ]

  test.each(rows)('%s: for every header within the grammar', (dimension, field, available) => {
    fc.assert(
      fc.property(
        fc.option(field, { nil: undefined }),
        fc.option(offersOf(available), { nil: undefined }),
        (text, offers) => {
          const { ours, peers } = answers(dimension, text, offers)
          expect(ours).toEqual(peers)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('encodings: with a preference of the server', () => {
    fc.assert(
      fc.property(
        fieldOf(codings),
        offersOf(codings.slice(0, 4)),
        offersOf(codings.slice(0, 4)),
        (field, offers, preferred) => {
          const headers = { 'accept-encoding': field }
          const peer = new NegotiatorPeer({ headers }) as unknown as Negotiator
          expect(new Negotiator({ headers }).encodings(offers, { preferred })).toEqual(
            peer.encodings(offers, { preferred }),
          )
        },
      ),
    )
  })

  test('with all of its names', () => {
    const headers = { accept: 'a/b', 'accept-language': 'de', 'accept-charset': 'x', 'accept-encoding': 'br' }
    const ours = new Negotiator({ headers })
    expect([
      ours.preferredMediaType(),
      ours.preferredLanguage(),
      ours.preferredCharset(),
      ours.preferredEncoding(),
    ]).toEqual([ours.mediaType(), ours.language(), ours.charset(), ours.encoding()])
    expect([
      ours.preferredMediaTypes(),
      ours.preferredLanguages(),
      ours.preferredCharsets(),
      ours.preferredEncodings(),
    ]).toEqual([['a/b'], ['de'], ['x'], ['br', 'identity']])
  })
})

// Every deliberate difference, also listed in the docs.
const differences: [
  why: string,
  Dimension,
  field: string,
  offers: string[] | undefined,
  ours: string[],
  peers: string[],
][] = [
  ['an empty Accept is an absent one', 'mediaTypes', '', ['a/b'], ['a/b'], []],
  ['a wildcard type with a subtype is none', 'mediaTypes', '*/json', ['a/json'], [], ['a/json']],
  [
    'more matching parameters are more specific',
    'mediaTypes',
    'a/b;x=1;q=0.9, a/b;x=1;y=2;q=0.1, c/d;q=0.5',
    ['a/b;x=1;y=2', 'c/d'],
    ['c/d', 'a/b;x=1;y=2'],
    ['a/b;x=1;y=2', 'c/d'],
  ],
  ['parameters of a range are exact', 'mediaTypes', 'a/b;x=Y', ['a/b;x=y'], [], ['a/b;x=y']],
  ['... and have no wildcard', 'mediaTypes', 'a/b;x=*', ['a/b'], [], ['a/b']],
  ['a weight is at most 1', 'mediaTypes', 'a/b;q=0.9, c/d;q=5, e/f', ['e/f', 'c/d'], ['c/d', 'e/f'], ['c/d', 'e/f']],
  ['a weight above 1 wins nothing', 'mediaTypes', 'e/f, c/d;q=5', ['e/f', 'c/d'], ['e/f', 'c/d'], ['c/d', 'e/f']],
  ['a weight has three decimals', 'charsets', 'a;q=0.1234, b;q=0.1239', ['a', 'b'], ['a', 'b'], ['b', 'a']],
  ['an empty weight is an error', 'charsets', 'a;q=, b', ['a', 'b'], ['b'], ['a', 'b']],
  ['a range that stands twice counts where it stands first', 'charsets', 'a, b, a', ['a', 'b'], ['a', 'b'], ['b', 'a']],
  ['a parameter after the weight is no reason to refuse', 'mediaTypes', 'a/b;q=0.9;indent=4', ['a/b'], ['a/b'], []],
  ['lookup cuts more than one subtag', 'languages', 'zh-Hant-CN-x-private1', ['zh-Hant'], ['zh-Hant'], []],
  ['the longest remainder wins', 'languages', 'en-GB-oed', ['en', 'en-GB'], ['en-GB', 'en'], ['en']],
  [
    'a language that is named beats a wildcard',
    'languages',
    '*;q=0.5, de;q=0.4',
    ['en', 'de'],
    ['de', 'en'],
    ['en', 'de'],
  ],
  ['x-gzip is gzip', 'encodings', 'x-gzip', ['gzip', 'identity'], ['gzip', 'identity'], ['identity']],
  ['a field over the limits is an absent one', 'charsets', Array(65).fill('a').join(), ['b'], ['b'], []],
]

test.each(differences)('Negotiator differs: %s', (_why, dimension, field, offers, ours, peers) => {
  expect(answers(dimension, field, offers)).toEqual({ ours, peers })
})

describe('accepts returns what the peer returns', () => {
  const headers = {
    accept: 'text/*;q=0.5, application/json, image/png;q=0',
    'accept-encoding': 'gzip',
    'accept-language': 'de-CH, en',
    'accept-charset': 'utf-8',
  }
  const calls: [string, ...unknown[]][] = [
    ['types'],
    ['types', []],
    ['types', 'json'],
    ['types', 'json', 'html'],
    ['types', ['html', 'json']],
    ['type', 'html', 'text/plain'],
    ['types', 'png'],
    ['types', 'image/png', '.html'],
    ['types', 'nonsense'],
    ['encodings'],
    ['encodings', 'br', 'gzip'],
    ['encoding', 'br'],
    ['charsets'],
    ['charset', 'utf-8'],
    ['charset', ['koi8-r']],
    ['languages'],
    ['language', 'en', 'de'],
    ['langs', 'fr'],
    ['lang', ['de']],
  ]
  test.each(calls)('%s(%j)', (name, ...args) => {
    for (const given of [headers, {}, { accept: '' }]) {
      const req = { headers: given }
      const call = (target: object): unknown =>
        (Reflect.get(target, name) as (...given: unknown[]) => unknown).apply(target, args)
      if ('accept' in given && given.accept === '' && args.flat().length === 0) continue // listed in the differences
      expect(call(accepts(req))).toEqual(call(acceptsPeer(req as never)))
    }
  })

  test('maps extensions like the peer', () => {
    for (const [extension, type] of EXTENSIONS)
      expect([extension, acceptsPeer({ headers: { accept: type } } as never).type(extension)]).toEqual([
        extension,
        extension,
      ])
  })
})
