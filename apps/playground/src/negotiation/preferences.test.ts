import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRESETS, parsePreferences } from './preferences.ts'
import { rankOffers } from './rankings.ts'

describe('preferences', () => {
  test.each([
    ['none: those of a browser', '', PRESETS[0]?.[1]],
    ['headers', 'accept=text/csv', { accept: 'text/csv', 'accept-language': '', 'accept-encoding': '' }],
    ['empty', 'by=hand', { accept: '', 'accept-language': '', 'accept-encoding': '' }],
    [
      'weights',
      'type:text/csv=0.25&type:text/html=1&language:de=0&encoding:br=7&encoding:gzip=0',
      { accept: 'text/csv;q=0.3, text/html', 'accept-language': 'de;q=0', 'accept-encoding': 'br, gzip;q=0' },
    ],
    [
      'weights of offers that are not mentioned, which are not rejected',
      'type:text/html=0.2&type:text/csv=-0.1&language:de=-0.1&language:fr=-0.1&encoding:identity=-0.1&encoding:br=0',
      { accept: 'text/html;q=0.2', 'accept-language': '', 'accept-encoding': 'br;q=0' },
    ],
    [
      'weights of invalid offers',
      'type:a,b=1&type:%00=1&type:=1&type:text/html=much&language:__proto__=1',
      { accept: 'text/html;q=0', 'accept-language': '__proto__', 'accept-encoding': '' },
    ],
  ])('are read from a query: %s', (_title, query, expected) => {
    expect(parsePreferences(new URLSearchParams(query))).toEqual(expected)
  })

  test('are ranked, whatever they are', () => {
    const name = fc.oneof(fc.constantFrom('accept', 'accept-language', 'type:text/html', 'encoding:br'), fc.string())
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
        const { types, languages, encodings } = rankOffers(parsePreferences(new URLSearchParams(pairs)))
        for (const choices of [types, languages, encodings]) {
          expect(choices.length).toBeGreaterThan(3)
          for (const { q } of choices) expect(q >= 0 && q <= 1).toBe(true)
        }
      }),
    )
  })
})
