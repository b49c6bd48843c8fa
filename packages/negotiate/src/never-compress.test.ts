import { compress, negotiate } from '@svc/negotiate'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts } from '../../internal/testing/hosts.ts'
import { compileNeverCompress } from './never-compress.ts'
import { sendWhole, serving, toText } from './testing/running.ts'

describe('paths that are never compressed', () => {
  const isSafe = compileNeverCompress('compress', ['/account', '/a b/c/'])
  const ask = (url: string): boolean => isSafe({ url } as never, {} as never)

  test.each([
    '/account',
    '/account/',
    '/account?guess=1',
    '/account/keys/7',
    '/ACCOUNT',
    '/%61ccount',
    '//account',
    '/a%20b/c',
    '/a%20b/c/d',
    '/account#fragment',
    '/v1/account?guess=1',
    '/api/v1/ACCOUNT/keys',
    '/x/account',
    '/account\\',
    'http://localhost/account',
    'HTTPS://user:pw@[::1]:8443/account?guess=1',
    'http:///account',
  ])('match %s', (url) => {
    expect(ask(url)).toBe(true)
  })

  test.each([
    '/',
    '/accounts',
    '/v1/accounts',
    '/v1account',
    '/?/account',
    '/#/account',
    '/%',
    '/__proto__',
    '',
    '*',
    'http://account',
    'http://localhost?/account',
  ])('do not match %j', (url) => {
    expect(ask(url)).toBe(false)
  })

  test('are compared whole within a router', () => {
    expect(isSafe({ url: '/', originalUrl: '/account' } as never, {} as never)).toBe(true)
  })

  test('can match every path', () => {
    expect(compileNeverCompress('compress', ['/'])({ url: '/any' } as never, {} as never)).toBe(true)
  })

  test.each([[['account']], [[7]], ['/account'], [null]])('rejects %j', (given) => {
    expect(() => compress({ neverCompress: given as never })).toThrow(
      'negotiate: compress: neverCompress must be a function or a list',
    )
  })
})

test.each(Object.keys(hosts))('a response with a secret next to echoed input keeps its size on %s', async (host) => {
  const headers = { 'accept-encoding': 'gzip' }
  const codingAt = (url: string, path: string) => send(url, { path, headers })
  const listed = [compress({ neverCompress: ['/account'] })]
  await serving(host, { middlewares: listed, handler: sendWhole }, async (url) => {
    const [safe, other] = [await codingAt(url, '/account?q=x'), await codingAt(url, '/catalogue')]
    expect([safe.headers['content-encoding'], safe.headers['vary']]).toEqual([undefined, undefined])
    expect([other.headers['content-encoding'], toText(other)]).toEqual(['gzip', safe.text])
  })
  for (const inner of [compress({ encodings: [] }), negotiate({ encodings: [] })])
    await serving(host, { middlewares: [negotiate(), inner], handler: sendWhole }, async (url) => {
      const answer = await codingAt(url, '/')
      expect([answer.headers['content-encoding'], answer.headers['vary']]).toEqual([undefined, undefined])
    })
  const told = [compress({ neverCompress: (_req, res) => res.hasHeader('Content-Type') })]
  await serving(host, { middlewares: told, handler: sendWhole }, async (url) => {
    expect((await codingAt(url, '/')).headers['content-encoding']).toBeUndefined()
  })
})
