import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { scopeOf } from './scope.ts'

const scope = (headers: Record<string, string>, rest: object = {}) =>
  scopeOf({ headers, socket: {}, ...rest } as unknown as IncomingMessage)

describe('scopeOf', () => {
  test('hashes Authorization, whatever else there is', () => {
    const ada = scope({ authorization: 'Bearer ada', cookie: 'a=1' }, { user: { id: 7 } })
    expect(ada).toMatch(/^[\w-]{43}$/)
    expect(scope({ authorization: 'Bearer ada' })).toBe(ada)
    expect(scope({ authorization: 'Bearer ben' })).not.toBe(ada)
    expect(scope({ authorization: '' })).not.toBe(scope({}))
  })

  test('takes requests without credentials together', () => {
    expect(scope({})).toBe('')
    expect(scope({ 'user-agent': 'x' }, { user: null, auth: undefined, socket: { authorized: false } })).toBe('')
  })

  test.each([
    ['a cookie', { cookie: 'session=1' }, {}],
    ['an API key', { 'x-api-key': 'k' }, {}],
    ['req.user', {}, { user: { id: 7 } }],
    ['req.auth', {}, { auth: { sub: 'ada' } }],
    ['a certificate', {}, { socket: { authorized: true } }],
  ])('cannot tell who signed in by %s', (_, headers, rest) => {
    expect(scope(headers as Record<string, string>, rest)).toBeUndefined()
  })
})
