import { connect } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import Boom from '@hapi/boom'
import { classify } from '@svc/errors'
import fastify from 'fastify'
import { HTTPException } from 'hono/http-exception'
import createError from 'http-errors'
import * as jose from 'jose'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../internal/testing/servers.ts'

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('it threw nothing')
}

describe('http-errors', () => {
  test('keeps its status, message and headers', () => {
    expect(classify(createError(409, 'Taken.', { headers: { 'Retry-After': 3 } }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'Taken.',
      headers: { 'Retry-After': '3' },
    })
  })

  test('exposes its code if it is in UPPER_SNAKE case', () => {
    expect(classify(createError(403, 'No.', { code: 'ERR_X_Y' })).code).toBe('ERR_X_Y')
    expect(classify(createError(403, 'No.', { code: 'not a code' })).code).toBe('FORBIDDEN')
  })

  test('exposes nothing of 500 and above', () => {
    expect(classify(createError(503, 'pg pool', { code: 'PG_POOL' }))).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is temporarily unavailable.',
    })
  })

  test.each([new TypeError('x of undefined'), new SyntaxError('at /srv/app.ts'), new RangeError('secret')])(
    'hides the message of a %s with a status',
    (inner) => {
      expect(classify(createError(400, inner))).toMatchObject({ status: 400, message: 'The request is not valid.' })
    },
  )
})

describe('Boom', () => {
  test('keeps its response, without its data', () => {
    const classification = classify(Boom.conflict('Taken.', { secret: 1 }))
    expect(classification).toMatchObject({ status: 409, code: 'CONFLICT', message: 'Taken.' })
    expect(JSON.stringify(classification)).not.toContain('secret')
  })

  test('keeps its headers', () => {
    expect(classify(Boom.unauthorized('Bad.', 'Bearer', { realm: 'a' })).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="a", error="Bad."',
    })
  })

  test('exposes nothing of 500 and above, nor of a native error', () => {
    expect(classify(Boom.badImplementation('secret')).message).toBe('The server could not process the request.')
    expect(classify(Boom.boomify(new TypeError('x'), { statusCode: 400 })).message).toBe('The request is not valid.')
  })
})

describe('Hono', () => {
  test('an HTTPException keeps its status and message', () => {
    expect(classify(new HTTPException(404, { message: 'No such page.' }))).toMatchObject({
      status: 404,
      message: 'No such page.',
    })
    expect(classify(new HTTPException(500, { message: 'secret' })).message).not.toContain('secret')
  })

  test('an HTTPException keeps the headers of its response, and those of its own override them', () => {
    const res = new Response(null, { headers: { 'Retry-After': '30', 'X-Plan': 'free' } })
    res.headers.append('Set-Cookie', 'a=')
    res.headers.append('Set-Cookie', 'b=')
    const error = Object.assign(new HTTPException(503, { res }), { headers: { 'x-plan': 'paid' } })
    expect(classify(error).headers).toEqual({ 'retry-after': '30', 'set-cookie': ['a=', 'b='], 'x-plan': 'paid' })
  })

  test.each([
    ['without headers', {}],
    ['whose headers are no Headers', { headers: { 'retry-after': '30' } }],
    ['that is null', null],
  ])('an HTTPException with a response %s keeps its status', (_name, res) => {
    expect(classify(new HTTPException(503, { res: res as never }))).toMatchObject({ status: 503, headers: {} })
  })

  test('an HTTPException with a getter that throws is 500', () => {
    const error = Object.defineProperty(new HTTPException(401), 'res', { get: () => JSON.parse('') })
    expect(classify(error)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
  })

  test('an error that is no HTTPException has no response', () => {
    const res = new Response(null, { headers: { 'Retry-After': '30' } })
    expect(classify(Object.assign(new Error('x'), { status: 503, res })).headers).toEqual({})
  })
})

describe('Fastify', () => {
  async function errorOf(payload: string, type = 'application/json'): Promise<unknown> {
    const app = fastify({ bodyLimit: 100 })
    let error: unknown
    app.setErrorHandler((thrown, _req, reply) => {
      error = thrown
      return reply.send('')
    })
    const body = { type: 'object', required: ['name'], properties: { salary: { type: 'number' } } }
    app.post('/', { schema: { body } }, () => '')
    await app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': type } })
    return error
  }

  test.each([
    ['{"salary": 1}', { pointer: '/name', field: 'name', code: 'REQUIRED', detail: 'is required' }],
    ['{"name": "a", "salary": "canary"}', { pointer: '/salary', code: 'TYPE', detail: 'must be number' }],
    ['[]', { pointer: '', field: '', code: 'TYPE', detail: 'must be object' }],
  ])('returns the entries of a body that its schema rejects: %s', async (payload, entry) => {
    const classification = classify(await errorOf(payload))
    expect(classification).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ location: 'body', ...entry }],
    })
  })

  test('keeps the status and message of its own errors', async () => {
    expect(classify(await errorOf('{'))).toMatchObject({ status: 400, message: expect.stringContaining('valid JSON') })
    expect(classify(await errorOf('x', 'image/png'))).toMatchObject({
      status: 415,
      code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    })
    expect(classify(await errorOf(`{"name": "${'x'.repeat(100)}"}`)).status).toBe(413)
  })
})

describe('jose', () => {
  const key = new TextEncoder().encode('k'.repeat(32))
  const sign = (expires: number): Promise<string> =>
    new jose.SignJWT({ sub: 'canary' }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(key)

  test.each<[string, () => Promise<unknown>]>([
    ['has expired', async () => jose.jwtVerify(await sign(2), key)],
    ['is no token', () => jose.jwtVerify('a.b.c', key)],
    ['has another signature', async () => jose.jwtVerify(`${(await sign(2)).slice(0, -3)}abc`, key)],
    ['lacks a claim', async () => jose.jwtVerify(await sign(4e9), key, { requiredClaims: ['jti'] })],
    [
      'has an algorithm that is not allowed',
      async () => jose.jwtVerify(await sign(4e9), key, { algorithms: ['ES256'] }),
    ],
    ['cannot be decrypted', () => jose.jwtDecrypt('a.b.c.d.e', key)],
    ['names no key', async () => jose.jwtVerify(await sign(4e9), jose.createLocalJWKSet({ keys: [] }))],
  ])('a token that %s is 401', async (_name, verify) => {
    expect(classify(await thrownBy(verify))).toMatchObject({
      status: 401,
      code: 'INVALID_TOKEN',
      message: 'The token is not valid.',
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    })
  })

  test('a token with another algorithm than the key’s is 401 once its TypeError has the code', async () => {
    const { publicKey } = await jose.generateKeyPair('RS256')
    const error = await thrownBy(async () => jose.jwtVerify(await sign(4e9), publicKey))
    expect(error).toBeInstanceOf(TypeError)
    expect(classify(error).status).toBe(500)
    expect(classify(Object.assign(error as TypeError, { code: 'ERR_JWT_INVALID' })).status).toBe(401)
  })

  test('unavailable keys are 503', () => {
    expect(classify(new jose.errors.JWKSTimeout()).status).toBe(503)
  })
})

describe('node and parsers', () => {
  test.each<[string, () => unknown, number, string]>([
    ['malformed percent-encoding', () => decodeURIComponent('%ff'), 400, 'MALFORMED_URI'],
    [
      'a body that decodes to more than allowed',
      () => gunzipSync(gzipSync(Buffer.alloc(9999)), { maxOutputLength: 10 }),
      413,
      'BODY_TOO_LARGE',
    ],
    ['XML that is not well-formed', () => new SaxesParser().write('<a><b></a>').close(), 400, 'MALFORMED_BODY'],
    ['a connection that is refused', async () => connectTo(await freePort()), 503, 'SERVICE_UNAVAILABLE'],
    ['a fetch that is refused', async () => fetch(`http://127.0.0.1:${await freePort()}/`), 503, 'SERVICE_UNAVAILABLE'],
    [
      'a fetch that is aborted',
      () => fetch('http://127.0.0.1/', { signal: AbortSignal.abort() }),
      503,
      'SERVICE_UNAVAILABLE',
    ],
    ['a time-out', () => untilAborted(AbortSignal.timeout(1)), 503, 'SERVICE_UNAVAILABLE'],
  ])('%s', async (_name, call, status, code) => {
    expect(classify(await thrownBy(call))).toMatchObject({ status, code })
  })

  test('a message like one of saxes without its stack is 500', () => {
    expect(classify(new Error('1:5: unclosed tag: b.')).status).toBe(500)
  })
})

describe('clients of other servers', () => {
  // The properties of errors about a response in axios 1, ky 1, octokit 7, openai 6, the AWS SDK 3,
  // stripe 18, undici 7 and Elasticsearch 9.
  test.each([
    ['axios', { status: 401, isAxiosError: true, response: {}, request: {}, config: {} }],
    ['ky', { status: 404, response: {}, request: {} }],
    ['octokit', { status: 404, request: {}, response: {} }],
    ['openai', { status: 429, requestID: 'req_1', headers: {} }],
    ['aws', { statusCode: 403, $metadata: { httpStatusCode: 403 } }],
    ['stripe', { statusCode: 401, headers: { 'set-cookie': 'a=canary' }, requestId: 'req_1', raw: {} }],
    ['undici', { statusCode: 401, headers: { 'set-cookie': 'a=canary' }, code: 'UND_ERR_RESPONSE' }],
    ['elasticsearch', { statusCode: 401, headers: { 'set-cookie': ['a=canary'] }, body: {}, meta: {} }],
  ])('ignores the status in an error of %s', (_name, members) => {
    const error = Object.assign(new Error('Request failed'), members)
    expect(classify(error)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', headers: {} })
  })
})

function connectTo(port: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    connect(port, '127.0.0.1').on('error', reject)
  })
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.onabort = () => reject(signal.reason)
  })
}
