import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileVary, mergeVary, vary } from './vary.ts'

describe('header names merged into Vary (RFC 9110 §12.5.5)', () => {
  test.each<[string, string[], string]>([
    ['', [], ''],
    ['', ['Accept'], 'Accept'],
    ['', ['Accept', 'accept', 'ACCEPT'], 'Accept'],
    ['Accept', ['Accept'], 'Accept'],
    ['accept', ['Accept', 'Accept-Encoding'], 'accept, Accept-Encoding'],
    ['Accept-Encoding', ['Accept'], 'Accept-Encoding, Accept'],
    ['Accept-Encoding, Accept', ['Encoding'], 'Accept-Encoding, Accept, Encoding'],
    ['X-Accept', ['Accept'], 'X-Accept, Accept'],
    ['Accept,Origin', ['origin', 'accept'], 'Accept,Origin'],
    ['Accept\t,\t Origin', ['ORIGIN', 'ACCEPT'], 'Accept\t,\t Origin'],
    ['*', ['Accept'], '*'],
    [' * ', ['Accept'], '*'],
    ['Accept', ['Origin', '*', 'Cookie'], '*'],
    ['Accept', [''], 'Accept'],
    ['__proto__', ['__proto__', 'constructor'], '__proto__, constructor'],
  ])('merges %j and %j to %j', (current, names, merged) => {
    expect(mergeVary(current, names)).toBe(merged)
  })

  test('names every header once, for any earlier value', () => {
    const name = fc.constantFrom('Accept', 'accept', 'Accept-Language', 'Language', 'X-Accept', 'A', 'B-A', 'a-b')
    fc.assert(
      fc.property(fc.uniqueArray(name, { selector: (one) => one.toLowerCase() }), fc.array(name), (before, names) => {
        const merged = mergeVary(before.join(', '), names).split(', ').filter(Boolean)
        const wanted = new Set([...before, ...names].map((one) => one.toLowerCase()))
        expect(merged.map((one) => one.toLowerCase())).toEqual([...wanted])
      }),
    )
  })
})

describe('adding names to the Vary of a response', () => {
  const varyByLanguage = compileVary('Accept', 'Accept-Language')

  test.each([
    [undefined, 'Accept, Accept-Language'],
    ['Origin', 'Origin, Accept, Accept-Language'],
    [['Origin', 'Cookie'], 'Origin, Cookie, Accept, Accept-Language'],
    ['accept-language, accept', undefined],
    ['*', undefined],
  ])('after %j sets %j', (before, set) => {
    for (const add of [varyByLanguage, (res: ServerResponse) => vary(res, 'Accept', 'Accept-Language')]) {
      for (let time = 0; time < 2; time++) {
        const res = new ServerResponse(new IncomingMessage(new Socket()))
        if (before !== undefined) res.setHeader('Vary', before)
        add(res)
        expect(res.getHeader('Vary')).toEqual(set ?? before)
      }
    }
  })
})
