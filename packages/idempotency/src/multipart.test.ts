import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../internal/testing/cpu-time.ts'
import { removeBoundary } from './multipart.ts'

const form = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
const read = (body: string, type: string) => String(removeBoundary(body, type))

describe('removeBoundary (RFC 2046 5.1.1)', () => {
  const plain = read(form('b', ['x', 'y']), 'multipart/form-data; boundary=b')

  test.each([
    ['another boundary', form('c', ['x', 'y']), 'multipart/form-data; boundary=c'],
    ['a quoted boundary', form("(c d)'", ['x', 'y']), 'multipart/form-data; charset=utf-8; Boundary="(c d)\'"'],
    ['the longest boundary', form('c'.repeat(70), ['x', 'y']), `multipart/form-data; boundary=${'c'.repeat(70)}`],
  ])('is equal for %s', (_, body, type) => {
    expect(read(body, type)).toBe(plain)
  })

  test.each([
    ['other parts', form('b', ['x', 'z'])],
    ['one part more', form('b', ['x', 'y', ''])],
    ['a part that looks like two', form('b', ['x\r\n--c\r\ny'])],
    ['the boundary inside of a line', form('b', ['x--b', 'y'])],
    ['a preamble', `p\r\n${form('b', ['x', 'y'])}`],
  ])('differs for %s', (_, body) => {
    expect(read(body, 'multipart/form-data; boundary=b')).not.toBe(plain)
  })

  test.each([
    ['no boundary in the type', 'multipart/form-data'],
    ['an empty one', 'multipart/form-data; boundary='],
    ['one that is not in the body', 'multipart/form-data; boundary=other'],
    ['a name that is no own one', 'multipart/form-data; __proto__=b'],
  ])('returns a body as is with %s', (_, type) => {
    expect(read(form('b', ['x']), type)).toBe(form('b', ['x']))
  })

  test('returns a body as is if its boundary has more than 70 characters', () => {
    const boundary = 'b'.repeat(71)
    expect(read(form(boundary, ['x']), `m/f; boundary=${boundary}`)).toBe(form(boundary, ['x']))
  })

  test.each([
    ['a boundary of 12,000 characters', 'a'.repeat(12_000), `${'\r'.repeat(60_000)}${'a'.repeat(988_576)}`],
    ['a body of delimiters', 'b', '\r\n--b'.repeat(209_715)],
    ['a body of almost delimiters', 'b'.repeat(70), `\r\n--${'b'.repeat(69)}c`.repeat(14_170)],
  ])('takes linear time for %s', async (_, boundary, body) => {
    expect(await measureCpuMs(() => removeBoundary(body, `m/f; boundary=${boundary}`))).toBeLessThan(2000)
  })

  test('is equal for equal parts only, regardless of boundaries', () => {
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', '-', '\r\n', 'é', '\n') }), { maxLength: 4 })
    const boundary = fc.string({ unit: fc.constantFrom('b', '-', 'c'), minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(parts, parts, boundary, boundary, (one, other, here, there) => {
        const contained = [...one, ...other].some((part) => `\r\n${part}`.includes('\r\n--'))
        fc.pre(!contained)
        const [left, right] = [
          read(form(here, one), `m/f; boundary=${here}`),
          read(form(there, other), `m/f; boundary=${there}`),
        ]
        expect(left === right).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})
