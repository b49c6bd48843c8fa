import { isProblem, parseProblem, parseRetryAfter } from '@svc/errors/client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

test.each([
  ['application/problem+json', true],
  ['Application/Problem+JSON ; charset=utf-8', true],
  ['application/json', false],
  ['application/problem+jsonx', false],
  ['application/problem+xml', false],
  [undefined, false],
])('isProblem() of Content-Type %j is %j', (type, expected) => {
  expect(isProblem(new Response('', type ? { headers: { 'content-type': type } } : {}))).toBe(expected)
})

describe('parseProblem()', () => {
  test.each<[string, unknown]>([
    ['{}', { type: 'about:blank' }],
    [
      '{"type":"a","title":"b","status":404,"detail":"c","instance":"d","balance":3}',
      { type: 'a', title: 'b', status: 404, detail: 'c', instance: 'd', balance: 3 },
    ],
    ['{"type":1,"title":null,"status":"404","detail":[],"instance":{}}', { type: 'about:blank' }],
    ['{"status":99}', { type: 'about:blank' }],
    ['{"status":100}', { type: 'about:blank', status: 100 }],
    ['{"status":599}', { type: 'about:blank', status: 599 }],
    ['{"status":600}', { type: 'about:blank' }],
    ['{"status":404.5}', { type: 'about:blank' }],
    ['[]', undefined],
    ['null', undefined],
    ['"text"', undefined],
    ['<html>', undefined],
    ['', undefined],
  ])('of %s is %j (RFC 9457 §3.1)', (text, expected) => {
    expect(parseProblem(text)).toEqual(expected)
  })

  test('does not change a prototype', () => {
    const problem = parseProblem('{"__proto__":{"polluted":1},"constructor":1}')
    expect(Object.getPrototypeOf(problem)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['object', 'undefined']).toContain(typeof parseProblem(text))
      }),
    )
  })
})

test.each([
  ['120', 120],
  ['0', 0],
  ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
  ['Sat, 21 Nov 2026 07:31:00 GMT', 60],
  ['1.5', undefined],
  ['-1', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['9'.repeat(99), undefined],
])('parseRetryAfter() of %j is %j (RFC 9110 §10.2.3)', (value, seconds) => {
  expect(parseRetryAfter(value, Date.UTC(2026, 10, 21, 7, 30))).toBe(seconds)
})
