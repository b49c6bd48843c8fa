import { execFileSync } from 'node:child_process'
import { inspect } from 'node:util'
import { isNativeError } from 'node:util/types'
import { HttpError, type HttpErrorInit, httpError, httpErrorValue, isHttpError } from '@svc/errors'
import createError from 'http-errors'
import { describe, expect, expectTypeOf, test } from 'vitest'

describe('httpError()', () => {
  test('has the properties that Express, Koa and Fastify read', () => {
    const error = httpError(409, 'Taken.', { headers: { 'Retry-After': '3' } })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ status: 409, statusCode: 409, expose: true, headers: { 'Retry-After': '3' } })
    expect([error.name, error.message, error.code]).toEqual(['HttpError', 'Taken.', 'CONFLICT'])
    expectTypeOf(error.status).toEqualTypeOf<409>()
  })

  test.each([
    [404, 'NOT_FOUND', 'The resource does not exist.'],
    [413, 'BODY_TOO_LARGE', 'The body of the request is too large.'],
    [418, 'CLIENT_ERROR', 'The request is not valid.'],
    [500, 'INTERNAL_ERROR', 'The server could not process the request.'],
    [599, 'SERVER_ERROR', 'The server could not process the request.'],
  ])('uses the defaults of %i', (status, code, message) => {
    expect(httpError(status)).toMatchObject({ code, message, expose: true })
  })

  test('hides its message with 500 and above unless expose is set', () => {
    expect(httpError(503, 'pool is empty').expose).toBe(false)
    expect(httpError(503, 'Back at ten.', { expose: true }).expose).toBe(true)
    expect(httpError(403, 'secret', { expose: false }).expose).toBe(false)
  })

  test('captures a stack only with 500 and above, and restores the limit', () => {
    const limit = Error.stackTraceLimit
    expect(httpError(499).stack).toBe('HttpError: The request is not valid.')
    expect(httpError(500).stack).toContain('http-error.test.ts')
    expect(() => httpError(404, Symbol('x') as unknown as string)).not.toThrow()
    expect(() => httpError(404, Object.create(null))).toThrow(TypeError)
    expect(Error.stackTraceLimit).toBe(limit)
  })

  test('works where Error is frozen', () => {
    const script = "import { httpError } from '@svc/errors'; console.log(httpError(404).status)"
    const flags = ['--frozen-intrinsics', '--no-warnings', '--conditions=@svc/source', '--input-type=module']
    expect(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })).toBe('404\n')
  })

  test('prints like any error, and accepts an assigned stack', () => {
    const error = httpError(404, 'No.')
    expect(inspect(error)).toMatch(/^\[?HttpError: No\./)
    expect(Object.keys(error)).not.toContain('stack')
    error.stack = 'mine'
    expect(error.stack).toBe('mine')
  })

  test.each([200, 399, 600, 404.5, Number.NaN, '404'])('rejects the status %j', (status) => {
    expect(() => httpError(status as number)).toThrow(TypeError)
  })

  test.each(['not a code', '', 'lower', 'X'.repeat(65)])('rejects the code %j', (code) => {
    expect(() => httpError(404, 'No.', { code })).toThrow('errors: code must be in UPPER_SNAKE case')
  })

  test.each([
    [120, '120'],
    [0.001, '1'],
    [1.5, '2'],
    [0, '1'],
    [-5, '1'],
    [1e21, '2147483647'],
    [new Date('1999-12-31T23:59:59Z'), 'Fri, 31 Dec 1999 23:59:59 GMT'],
  ])('formats retryAfter %j as Retry-After: %s (RFC 9110 §10.2.3)', (retryAfter, field) => {
    const error = httpError(503, undefined, { retryAfter, headers: { 'X-Other': 'a' } })
    expect(error.headers).toEqual({ 'X-Other': 'a', 'Retry-After': field })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, new Date('soon'), 'soon'])('rejects retryAfter %j', (retryAfter) => {
    expect(() => httpError(503, '', { retryAfter: retryAfter as number })).toThrow('errors: retryAfter must be')
  })

  test.each<[unknown, string]>([
    [{ xyz: 1 }, 'errors: httpError: unknown option "xyz", supported options: code, expose, '],
    [{ header: {} }, 'errors: httpError: unknown option "header", did you mean "headers"?'],
    [null, 'errors: httpError: options must be an object, got null'],
    ['code', 'errors: httpError: options must be an object, got "code"'],
    [{ title: 5 }, 'errors: title must be a string, got 5'],
    [{ type: null }, 'errors: type must be a string, got null'],
    [{ type: 'out of credit' }, 'errors: type must be an absolute URI, got "out of credit"'],
    [{ expose: 'yes' }, 'errors: expose must be true or false, got "yes"'],
    [{ headers: 'Allow: GET' }, 'errors: headers must be an object, got "Allow: GET"'],
    [{ errors: {} }, 'errors: errors must be an array, got an object'],
    [{ params: ['a'] }, 'errors: params must be an object, got an array'],
    [{ extensions: true }, 'errors: extensions must be an object, got true'],
    [{ code: ['A'] }, 'errors: code must be in UPPER_SNAKE case, got an array'],
  ])('rejects the options %j', (init, message) => {
    expect(() => httpError(404, 'No.', init as HttpErrorInit)).toThrow(TypeError)
    expect(() => httpError(404, 'No.', init as HttpErrorInit)).toThrow(message)
  })

  test('accepts options that are undefined', () => {
    const init = { code: undefined, headers: undefined, title: undefined, errors: undefined } as object
    expect(Object.keys(httpError(404, 'No.', init))).toEqual(['status', 'statusCode', 'code', 'expose'])
  })

  test('rejects options in place of the message', () => {
    const message = { code: 'GONE' } as unknown as string
    expect(() => httpError(410, message)).toThrow(new TypeError('errors: message must be a string, got an object'))
  })

  test('keeps the cause for the log', () => {
    const cause = new Error('inner')
    expect(httpError(500, 'outer', { cause }).cause).toBe(cause)
    expect(Object.hasOwn(httpError(500), 'cause')).toBe(false)
  })
})

describe('httpErrorValue()', () => {
  test.each<[number, string | undefined, HttpErrorInit | undefined]>([
    [404, undefined, undefined],
    [409, 'Taken.', { code: 'TAKEN', expose: false, params: { name: 'a' }, cause: new Error('inner') }],
    [422, '', { errors: [], type: 'https://api.example/a', title: 'A', extensions: { balance: 3 } }],
    [429, 'Later.', { retryAfter: 3, headers: { Allow: 'GET' } }],
    [503, 'pool is empty', { retryAfter: 3 }],
  ])('has the properties of httpError(%i, %j, %o)', (status, message, init) => {
    const value = httpErrorValue(status, message, init)
    const error = httpError(status, message, init)
    expect({ ...value }).toEqual({ ...error })
    expect([value.name, value.message, value.cause]).toEqual([error.name, error.message, error.cause])
    expect([String(value), 'cause' in value]).toEqual([String(error), 'cause' in error])
    expect(value).toBeInstanceOf(HttpError)
    expect(value).toBeInstanceOf(Error)
    expect([isHttpError(value), createError.isHttpError(value)]).toEqual([true, true])
  })

  test('creates a native error, with a stack, from 500 on only', () => {
    expect([499, 500].map((status) => isNativeError(httpErrorValue(status)))).toEqual([false, true])
    expect(httpErrorValue(404, 'No.').stack).toBe('HttpError: No.')
    expect(httpErrorValue(500).stack).toContain('http-error.test.ts')
    expectTypeOf(httpErrorValue(404)).toEqualTypeOf<HttpError<404>>()
  })

  test('prints like any error, and accepts an assigned stack and message', () => {
    const value = httpErrorValue(404, 'No.')
    expect(inspect(value)).toMatch(/^\[?HttpError: No\./)
    expect(Object.assign(value, { stack: 'mine', message: 'Never.' })).toMatchObject({
      stack: 'mine',
      message: 'Never.',
    })
  })

  test('gives a copy neither a hidden message nor the cause', () => {
    const value = httpErrorValue(403, 'canary', { expose: false, cause: new Error('canary') })
    expect(JSON.stringify([value, { ...value }])).not.toContain('canary')
  })

  test('works where Error is frozen', () => {
    const script = `import { httpErrorValue } from '@svc/errors'
      Object.freeze(Error.prototype)
      console.log(httpErrorValue(404, 'No.', { cause: 1 }).message)`
    const flags = ['--no-warnings', '--conditions=@svc/source', '--input-type=module']
    expect(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })).toBe('No.\n')
  })

  test.each<[number, unknown, unknown, string]>([
    [200, 'No.', undefined, 'errors: status must be 400 to 599, got 200'],
    [Number.NaN, 'No.', undefined, 'errors: status must be 400 to 599, got NaN'],
    [404, { code: 'GONE' }, undefined, 'errors: message must be a string, got an object'],
    [404, 'No.', { header: {} }, 'errors: httpError: unknown option "header", did you mean "headers"?'],
    [404, 'No.', { code: 'gone' }, 'errors: code must be in UPPER_SNAKE case, got "gone"'],
    [404, 'No.', { type: 'gone' }, 'errors: type must be an absolute URI, got "gone"'],
  ])('rejects %j, %j, %j', (status, message, init, said) => {
    expect(() => httpErrorValue(status, message as string, init as HttpErrorInit)).toThrow(new TypeError(said))
  })
})

describe('isHttpError()', () => {
  class Copy extends HttpError {}

  test.each([
    [httpError(404), true],
    [new Copy(404), true],
    [createError(404), true],
    [Object.assign(new Error(''), { status: 404, statusCode: 404, expose: true }), true],
    [Object.assign(new Error(''), { status: 404 }), false],
    [{ status: 404, statusCode: 404, expose: true }, false],
    [null, false],
    ['404', false],
  ])('of %s is %j', (value, expected) => {
    expect(isHttpError(value)).toBe(expected)
  })

  test('follows the convention: http-errors recognizes it', () => {
    expect(createError.isHttpError(httpError(404))).toBe(true)
  })
})
