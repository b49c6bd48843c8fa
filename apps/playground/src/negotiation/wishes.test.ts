import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rankingsOf } from './rankings.ts'
import { PRESETS, wishesOf } from './wishes.ts'

describe('what a client wishes', () => {
  test.each([
    ['nothing said: a browser', '', PRESETS[0]?.[1]],
    ['fields', 'accept=text/csv', { accept: 'text/csv', 'accept-language': '', 'accept-encoding': '' }],
    ['left empty', 'by=hand', { accept: '', 'accept-language': '', 'accept-encoding': '' }],
    [
      'weights',
      'type:text/csv=0.25&type:text/html=1&language:de=0&coding:br=7&coding:gzip=-1',
      { accept: 'text/csv;q=0.3, text/html', 'accept-language': 'de;q=0', 'accept-encoding': 'br, gzip;q=0' },
    ],
    [
      'weights of what is no offer',
      'type:a,b=1&type:%00=1&type:=1&type:text/html=much&language:__proto__=1',
      { accept: 'text/html;q=0', 'accept-language': '__proto__', 'accept-encoding': '' },
    ],
  ])('is read from a query: %s', (_title, query, expected) => {
    expect(wishesOf(new URLSearchParams(query))).toEqual(expected)
  })

  test('is ranked, whatever it is', () => {
    const name = fc.oneof(fc.constantFrom('accept', 'accept-language', 'type:text/html', 'coding:br'), fc.string())
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
        const { types, languages, codings } = rankingsOf(wishesOf(new URLSearchParams(pairs)))
        for (const choices of [types, languages, codings]) {
          expect(choices.length).toBeGreaterThan(3)
          for (const { q } of choices) expect(q >= 0 && q <= 1).toBe(true)
        }
      }),
    )
  })
})
