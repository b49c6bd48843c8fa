import { etagFromContent, etagFromVersion, evaluatePreconditions } from '@svc/negotiate/etags'
import etag from 'etag'
import fc from 'fast-check'
import fresh from 'fresh'
import { describe, expect, test } from 'vitest'
import { listsTag, parseETag, parseETags, someTag } from './parse-etags.ts'

describe('lists of ETags (RFC 9110 §8.8.3, §5.6.1)', () => {
  const strong = (opaque: string) => ({ weak: false, opaque })
  const rows: [field: string, tags: unknown][] = [
    ['"a"', [strong('a')]],
    ['W/"a"', [{ weak: true, opaque: 'a' }]],
    ['"a", W/"b" ,\t"c"', [strong('a'), { weak: true, opaque: 'b' }, strong('c')]],
    ['"a,b", ""', [strong('a,b'), strong('')]],
    [' , "a",, ', [strong('a')]],
    ['"\\"', [strong('\\')]],
    ['*', '*'],
    [' * ', '*'],
    ['', undefined],
    [' , ', undefined],
    ['a', undefined],
    ['"a', undefined],
    ['w/"a"', undefined],
    ['W/a', undefined],
    ['W/ "a"', undefined],
    ['"a" "b"', undefined],
    ['"a"b', undefined],
    ['"a", *', undefined],
    ['"a";x', undefined],
    ["'a'", undefined],
  ]
  test.each(rows)('%j', (field, tags) => {
    expect(parseETags(field)).toEqual(tags)
  })

  test('parses a single ETag, and rejects a list', () => {
    expect(parseETag('W/"a"')).toEqual({ weak: true, opaque: 'a' })
    for (const text of ['"a", "b"', '"a",', '*', '', 'a']) expect(parseETag(text)).toBeUndefined()
  })

  const opaque = fc.stringMatching(/^[!#-~]{0,8}$/)
  const tag = fc.tuple(fc.boolean(), opaque).map(([weak, text]) => `${weak ? 'W/' : ''}"${text}"`)

  test('parses formatted ETags, and never throws', () => {
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1 }), fc.constantFrom(',', ', ', ' ,\t', ',,'), (tags, comma) => {
        const read = parseETags(tags.join(comma))
        expect(Array.isArray(read) && read.map(({ weak, opaque }) => `${weak ? 'W/' : ''}"${opaque}"`)).toEqual(tags)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'W/"a,* \t') }), (field) => {
        const read = parseETags(field)
        expect(read === undefined || read === '*' || read.every(({ opaque }) => field.includes(`"${opaque}"`))).toBe(
          true,
        )
      }),
    )
  })

  test.each([
    ['"x","y"', '","'],
    ['"a,",",b"', '","'],
    ['"x", "y"', '", "'],
    ['"xa"', '"a"'],
    ['"a"x, "b"', '"a"'],
    ['"a", b', '"a"'],
    [`${'"x", '.repeat(1000)}"y", b`, '"y"'],
  ])('%.20s does not list %s', (field, tag) => {
    expect(listsTag(field, tag)).toBe(false)
  })

  test('lists each of its ETags, at any position', () => {
    const odd = fc.stringMatching(/^[a,W/]{0,3}$/)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '"', ',', 'W/', 'a', ' ') }),
        odd,
        fc.nat(300),
        (field, opaque, more) => {
          for (const whole of [field, `${'"b", '.repeat(more)}${field}`]) {
            const tags = parseETags(whole)
            const expected = Array.isArray(tags) && tags.some((tag) => tag.opaque === opaque)
            expect(listsTag(whole, `"${opaque}"`)).toBe(expected)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('returns the result of fresh for ETags without a comma', () => {
    const plain = fc.stringMatching(/^[a-c.]{1,3}$/)
    const one = fc.tuple(fc.boolean(), plain).map(([weak, text]) => `${weak ? 'W/' : ''}"${text}"`)
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), one, (tags, current) => {
        const headers = { 'if-none-match': tags.join(', ') }
        const outcome = evaluatePreconditions('GET', headers, { etag: current })
        expect(outcome === 'not-modified').toBe(fresh(headers, { etag: current }))
      }),
      { numRuns: 500 },
    )
    const times = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000))
    fc.assert(
      fc.property(times, fc.constantFrom(-1000, 0, 1000), (date, shift) => {
        const headers = { 'if-modified-since': new Date(date.getTime() + shift).toUTCString() }
        const outcome = evaluatePreconditions('GET', headers, { lastModified: date.getTime() })
        expect(outcome === 'not-modified').toBe(fresh(headers, { 'last-modified': date.toUTCString() }))
      }),
    )
  })

  test('reads each character of a long header at most twice', () => {
    for (const piece of ['"a",', 'W/"', '"', ',', ' ', '"a" ']) {
      const field = piece.repeat(Math.floor(16_000 / piece.length))
      let asked = 0
      someTag(field, (start, end) => {
        asked += end - start + 1
        return false
      })
      expect(asked).toBeLessThanOrEqual(field.length)
    }
  })
})

describe('generated ETags', () => {
  test('have 128 bits, no backslash, and a part for variant and encoding', () => {
    expect(etagFromContent('a')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(etagFromContent('a', { type: 'text/plain' })).toMatch(/^"[0-9a-f]{32}\.[\w-]{6}"$/)
    expect(etagFromContent('a', { type: 'text/plain', encoding: 'gzip' })).toMatch(/^"[0-9a-f]{32}\.[\w-]{6}\.gzip"$/)
    expect(etagFromContent('a', { encoding: 'gzip' })).toMatch(/^"[0-9a-f]{32}\.\.gzip"$/)
    expect(etagFromContent('a', { encoding: 'identity', weak: true })).toMatch(/^W\/"[0-9a-f]{32}"$/)
    expect(etagFromContent(Buffer.from('ä'))).toBe(etagFromContent('ä'))
  })

  test('contain the version if possible, and differ by version and variant', () => {
    expect(etagFromVersion(7)).toBe('"7"')
    expect(etagFromVersion(-1n)).toBe('"-1"')
    expect(etagFromVersion('2026-11-20')).toBe('"2026-11-20"')
    for (const version of ['1.2', 'a"b', 'ä', 'x'.repeat(65), 1.5])
      expect(etagFromVersion(version)).toMatch(/^"[0-9a-f]{32}"$/)
    for (const version of [undefined, null, Number.NaN, new Date(), {}, [1]])
      expect(() => etagFromVersion(version as never)).toThrow(
        /^negotiate: etagFromVersion: version must be a string, a number or a bigint, got /,
      )
    expect(() => etagFromVersion('')).toThrow(
      new TypeError('negotiate: etagFromVersion: version must not be empty, got ""'),
    )
    const variants = [
      undefined,
      { type: 'a/b' },
      { type: 'a/c' },
      { type: 'a/b', language: 'de' },
      { language: 'de' },
      { variant: 'de' },
      { type: 'a/b', variant: 'v1' },
    ]
    expect(new Set(variants.map((variant) => etagFromVersion(7, variant))).size).toBe(variants.length)
  })

  test('never confuse versions: a dot in a version differs from that before a variant', () => {
    const version = fc.oneof(fc.string(), fc.integer(), fc.constantFrom('1', '1.2', '1.2.gzip')).filter((v) => v !== '')
    fc.assert(
      fc.property(version, version, (a, b) => {
        const headers = { 'if-match': etagFromVersion(a, { type: 'a/b', encoding: 'gzip' }) }
        const expected = String(a) === String(b) ? 'perform' : 'failed'
        expect(evaluatePreconditions('PUT', headers, { version: b })).toBe(expected)
      }),
    )
  })

  test('of contents differ if those of etag differ', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(etagFromContent(a) === etagFromContent(b)).toBe(etag(a) === etag(b))
      }),
    )
  })
})

test('a time before 1970 is compared in the seconds in which it is sent', () => {
  const lastModified = -1500
  const sent = new Date(lastModified).toUTCString()
  expect(evaluatePreconditions('GET', { 'if-modified-since': sent }, { lastModified })).toBe('not-modified')
  expect(evaluatePreconditions('PUT', { 'if-unmodified-since': sent }, { lastModified })).toBe('perform')
})

test('an ETag without quotes matches nothing', () => {
  expect(evaluatePreconditions('PUT', { 'if-match': 'abc' }, { etag: 'abc' })).toBe('failed')
})

describe('conditions of a change compare versions (RFC 9110 §13.1.1)', () => {
  const state = { etag: '"v1.json"', version: 'v1' }
  const rows: [string, Record<string, string>, string][] = [
    ['PATCH', { 'if-match': '"v1.hal.gzip"' }, 'perform'],
    ['PATCH', { 'if-match': '"v0.json", "v1"' }, 'perform'],
    ['PATCH', { 'if-match': 'W/"v1.hal"' }, 'failed'],
    ['PATCH', { 'if-match': '"v10.json"' }, 'failed'],
    ['PATCH', { 'if-match': '"v"' }, 'failed'],
    ['GET', { 'if-match': '"v1.hal"' }, 'failed'],
    ['GET', { 'if-none-match': '"v1.hal"' }, 'perform'],
    ['PUT', { 'if-none-match': 'W/"v1.hal"' }, 'failed'],
    ['PUT', { 'if-none-match': '"v2"' }, 'perform'],
    ['PUT', { 'if-none-match': 'v1' }, 'malformed'],
    ['GET', { 'if-none-match': 'v1' }, 'perform'],
    ['QUERY', { 'if-none-match': '"v1.json"' }, 'not-modified'],
  ]
  test.each(rows)('%s %j is %s', (method, fields, outcome) => {
    expect(evaluatePreconditions(method, fields, state)).toBe(outcome)
  })
})
