import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDefaultUser } from './default-user.ts'
import { createWarn, type WarningOptions } from './warnings.ts'

const user = (headers: Record<string, string>, rest: object = {}, warnings: WarningOptions = false) =>
  createDefaultUser(createWarn(warnings))({ headers, socket: {}, ...rest } as unknown as IncomingMessage)

describe('the default of the option user', () => {
  test('hashes Authorization, regardless of other credentials', () => {
    const ada = user({ authorization: 'Bearer ada', cookie: 'a=1' }, { user: { id: 7 } })
    expect(ada).toMatch(/^[\w-]{43}$/)
    expect(user({ authorization: 'Bearer ada' })).toBe(ada)
    expect(user({ authorization: 'Bearer ben' })).not.toBe(ada)
    expect(user({ authorization: '' })).not.toBe(user({}))
  })

  test('is the same for all requests without credentials, including those with cookies of other apps', () => {
    expect(user({})).toBe('')
    expect(user({ 'user-agent': 'x' }, { user: null, auth: undefined, socket: { authorized: false } })).toBe('')
    expect(user({ cookie: '_ga=GA1.1.7; theme=dark; _gid=2; lang=de' })).toBe('')
    expect(user({}, { session: {} })).toBe('')
  })

  test('reads the headers of a Fetch request', () => {
    const request = new Request('http://localhost/', { headers: { authorization: 'Bearer ada' } })
    expect(createDefaultUser(createWarn(false))(request)).toBe(user({ authorization: 'Bearer ada' }))
  })

  test.each([
    ['a cookie that is named like a session', { cookie: 'a=1; connect.sid=s%3A1' }, {}],
    ['a cookie that is named like a token', { cookie: '__Host-access_token=e30' }, {}],
    ['a cookie and req.session', { cookie: 'a=1' }, { session: {} }],
    ['an API key', { 'x-api-key': 'k' }, {}],
    ['req.user', {}, { user: { id: 7 } }],
    ['req.auth', {}, { auth: { sub: 'ada' } }],
    ['a certificate', {}, { socket: { authorized: true } }],
  ])('is unknown for %s', (_, headers, rest) => {
    expect(user(headers as Record<string, string>, rest)).toBeUndefined()
  })
})

describe('a warning, once per process', () => {
  const warned: { code: string | undefined; text: string }[] = []
  beforeEach(() => {
    warned.length = 0
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('svc.warned')]
    vi.spyOn(process, 'emitWarning').mockImplementation((text, options) => {
      warned.push({ code: (options as { code?: string }).code, text: String(text) })
    })
  })
  afterEach(() => void vi.restoreAllMocks())

  test('names the unsupported credentials, and the option to set', () => {
    for (let time = 0; time < 2; time++) user({ cookie: 'sid=secret' }, {}, true)
    expect(warned.map(({ code }) => code)).toEqual(['WRN_IDEMPOTENCY_USER_UNKNOWN'])
    expect(warned[0]?.text).toContain('by the cookie "sid"')
    expect(warned[0]?.text).toContain('Set the option user')
    expect(warned[0]?.text).not.toContain('secret')
  })

  test('reports that cookies are ignored', () => {
    for (let time = 0; time < 2; time++) user({ cookie: '_ga=1' }, {}, true)
    expect(warned.map(({ code }) => code)).toEqual(['WRN_IDEMPOTENCY_COOKIE_IGNORED'])
  })

  test('is not emitted for requests without cookies, and if warnings are off', () => {
    user({}, {}, true)
    user({ cookie: '_ga=1' }, {}, { WRN_IDEMPOTENCY_COOKIE_IGNORED: false })
    user({ cookie: 'sid=1' })
    expect(warned).toEqual([])
  })
})
