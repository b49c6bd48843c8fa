import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseIdempotencyKey } from '@svc/idempotency'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../internal/testing/cpu-time.ts'

const uuid = '8e03978e-40d5-43e8-bc93-6894a57f9324'

describe('parseIdempotencyKey (draft-ietf-httpapi-idempotency-key-header 2.1)', () => {
  test.each([
    [`"${uuid}"`, uuid],
    [uuid, uuid],
    [`  "${uuid}"\t`, uuid],
    ['"a\\"b"', 'a"b'],
    ['"a\\\\b"', 'a\\b'],
    ['"a";p=1', 'a'],
    ['"a"; p; q="x;\\"y";r=?1;s=:YQ==:;t=-1.5;u=tok/en', 'a'],
    ['"a";d=%"x"', 'a'],
    ['"a";d=%"";e=%"f%c3%bc \\\\ r";t=@1659578233', 'a'],
    ['"abc def"', 'abc def'],
    ['"a,b"', 'a,b'],
    ['__proto__', '__proto__'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('parses %j', (value, key) => {
    expect(parseIdempotencyKey(value)).toBe(key)
  })

  test.each([
    '',
    '   ',
    '""',
    '"abc',
    '"',
    '"a\\n"',
    '"a\\',
    '"é"',
    'é',
    '"a" x',
    'a, b',
    '"a", "b"',
    'abc def',
    'a"b',
    'a;b',
    '"a"p',
    '"a";',
    '"a";P=1',
    '"a";p=',
    '"a";p=%x',
    '"a";p=%"x',
    '"a";p=%"%C3%BC"',
    '"a";p=%"50%"',
    '"a";p=%"é"',
    '"a"\u0000',
    '"a\tb"',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('rejects %j', (value) => {
    expect(parseIdempotencyKey(value)).toBeUndefined()
  })

  test('rejects keys without quotes if strict', () => {
    expect(parseIdempotencyKey(uuid, true)).toBeUndefined()
    expect(parseIdempotencyKey(`"${uuid}"`, true)).toBe(uuid)
  })

  test('parses every key that is formatted as a structured-field string', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      minLength: 1,
    })
    fc.assert(
      fc.property(printable, (key) => {
        const written = `"${key.replace(/["\\]/g, '\\$&')}"`
        expect(parseIdempotencyKey(written)).toBe(key.length <= 255 ? key : undefined)
      }),
    )
  })

  test('never throws, and takes linear time', async () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const key = parseIdempotencyKey(value)
        expect(key === undefined || (key.length >= 1 && key.length <= 255)).toBe(true)
      }),
    )
    const hostile = ['"a";a'.repeat(50_000), `"${'\\"'.repeat(100_000)}`, ';'.repeat(200_000)]
    const cpuMs = await measureCpuMs(() => hostile.map((value) => parseIdempotencyKey(value)))
    expect(cpuMs).toBeLessThan(500)
  })
})

interface Vector {
  name: string
  raw: string[]
  header_type: string
  expected?: [unknown, unknown[]]
  must_fail?: boolean
}

describe('strings of the structured-field suite (RFC 9651 4.2.5)', () => {
  const folder = join(import.meta.dirname, '../vectors/structured-fields')
  const vectors = ['string.json', 'string-generated.json'].flatMap(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Vector[],
  )
  test.each(vectors.filter(({ header_type }) => header_type === 'item'))('$name', ({ raw, expected, must_fail }) => {
    const value = raw.join(', ')
    const text = typeof expected?.[0] === 'string' ? expected[0] : undefined
    const isKey = !must_fail && text !== undefined && text.length > 0 && text.length <= 255
    expect(parseIdempotencyKey(value, true)).toBe(isKey ? text : undefined)
  })
})
