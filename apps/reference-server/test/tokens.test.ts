import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '../src/config.ts'
import { exchange } from './raw.ts'
import { basic, record, type Service, send, serviceFor, startService } from './service.ts'

const ISSUER = 'https://issuer.example'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const other = await generateKeyPair('ES256')
const SVC_SIGNING_KEY = JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'the-operators-key' })
const env: Environment = { SVC_JWT_ISSUER: ISSUER, SVC_SIGNING_KEY }

const NOW = Math.floor(Date.now() / 1000)
const CLAIMS = {
  iss: ISSUER,
  aud: 'svc-reference-server',
  sub: 'ghost',
  client_id: 'app',
  jti: '1',
  iat: NOW,
  exp: NOW + 300,
}
const sign = (claims: object, header: object = {}, key = privateKey): Promise<string> =>
  new SignJWT({ scope: 'employees:read', ...CLAIMS, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'the-operators-key', ...header })
    .sign(key)

interface Rejected {
  name: string
  token: string | Promise<string>
  description: string
  logged: object
}

describe('a token that is rejected', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-tokens-'))
  const logFile = join(directory, 'log')
  const service = serviceFor(() => ({ ...env, SVC_LOG_FILE: logFile, LOG_FORMAT: 'json', LOG_LEVEL: 'info' }))
  afterAll(() => rmSync(directory, { recursive: true }))
  const readLog = (correlationId: string): Record<string, unknown>[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"${correlationId}"`))
      .map((line) => JSON.parse(line))
  const good = sign({})
  const rejected: Rejected[] = [
    {
      name: 'expired',
      token: sign({ iat: NOW - 900, exp: NOW - 600 }),
      description: 'The token has expired.',
      logged: { check: 'expired', exp: NOW - 600 },
    },
    {
      name: 'too old',
      token: sign({ iat: NOW - 7200 }),
      description: 'The token was issued too long ago.',
      logged: { check: 'age', iat: NOW - 7200 },
    },
    {
      name: 'not valid yet',
      token: sign({ nbf: NOW + 600 }),
      description: 'The token is not valid yet.',
      logged: { check: 'future', nbf: NOW + 600 },
    },
    {
      name: 'issued in the future',
      token: sign({ iat: NOW + 600, exp: NOW + 900 }),
      description: 'The token is not valid yet.',
      logged: { check: 'future' },
    },
    {
      name: 'for another audience',
      token: sign({ aud: 'somebody-else' }),
      description: 'The token is for another audience.',
      logged: { check: 'audience', aud: '"somebody-else"' },
    },
    {
      name: 'of another issuer',
      token: sign({ iss: 'https://evil.example' }),
      description: 'The token is from another issuer.',
      logged: { check: 'issuer', iss: 'https://evil.example' },
    },
    {
      name: 'of another type',
      token: sign({}, { typ: 'JWT' }),
      description: 'The type of the token is not at+jwt.',
      logged: { check: 'type' },
    },
    {
      name: 'of an unknown key',
      token: sign({}, { kid: 'nobodys' }, other.privateKey),
      description: 'The token is signed with an unknown key.',
      logged: { check: 'key', kid: '"nobodys"' },
    },
    {
      name: 'of another key under our name',
      token: sign({}, {}, other.privateKey),
      description: 'The signature of the token is not valid.',
      logged: { check: 'signature' },
    },
    {
      name: 'without a signature',
      token: new UnsecuredJWT(CLAIMS).encode(),
      description: 'The token is signed with an algorithm that is not accepted.',
      logged: { check: 'algorithm', alg: '"none"' },
    },
    ...Object.entries({
      'not a JWT': 'abc',
      'three parts without a header': 'abc.def.ghi',
      'a header that is no JSON': `${Buffer.from('{alg:ES256}').toString('base64url')}.e30.AAAA`,
      'a header that is a list': `${Buffer.from('[]').toString('base64url')}.e30.AAAA`,
      'an encrypted token': `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')}.a.b.c.d`,
    }).map(([name, token]) => ({
      name,
      token,
      description: 'The token is not a signed JWT.',
      logged: { check: 'malformed' },
    })),
    {
      name: 'too long',
      token: 'a'.repeat(9000),
      description: 'The token is not a signed JWT.',
      logged: { check: 'malformed', length: 9000 },
    },
    {
      name: 'of a user who is gone',
      token: sign({ sub: `user:${'0'.repeat(32)}` }),
      description: 'The user of the token does not exist.',
      logged: { check: 'user' },
    },
    ...['sub', 'jti', 'client_id', 'exp', 'iat', 'aud', 'iss'].map((claim) => ({
      name: `without ${claim}`,
      token: sign({ [claim]: undefined }),
      description: `The token lacks the claim ${claim}.`,
      logged: { check: 'missing', claim },
    })),
    ...(
      [
        ['sub', 5],
        ['sub', ''],
        ['sub', ['a']],
        ['sub', 'a\u0000b'],
        ['sub', 'x'.repeat(300)],
        ['jti', null],
        ['jti', 7],
        ['client_id', null],
        ['client_id', {}],
        ['scope', ['employees:read']],
        ['scope', null],
        ['roles', 'admin'],
        ['roles', null],
        ['roles', [1]],
        ['roles', { admin: true }],
        ['iss', 5],
        ['exp', 'tomorrow'],
        ['iat', null],
      ] as const
    ).map(([claim, value]) => ({
      name: `with ${claim} ${JSON.stringify(value).slice(0, 20)}`,
      token: sign({ [claim]: value }),
      description: `The claim ${claim} of the token has the wrong type.`,
      logged: { check: 'claim', claim },
    })),
  ]

  test.each(rejected)(
    '$name: says which check it failed, and the log what exactly',
    async ({ name, token, description, logged }) => {
      const text = await token
      const correlationId = `token-${rejected.findIndex((each) => each.name === name)}`
      const headers = { authorization: `Bearer ${text}`, 'x-correlation-id': correlationId }
      const challenge = `Bearer realm="svc", error="invalid_token", error_description="${description}"`
      const answer = await service.check(
        { path: '/employees', headers },
        { status: 401, headers: { 'www-authenticate': challenge }, body: record(401, 'INVALID_TOKEN') },
      )
      expect(challenge).toMatch(/error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/)
      expect(JSON.parse(answer.text).message).toBe(description)
      await expect.poll(() => readLog(correlationId)).toHaveLength(1)
      const lines = readLog(correlationId)
      expect(lines).toMatchObject([{ msg: 'request', status: 401, token: logged }])
      if (text.length > 10) expect(JSON.stringify(lines) + answer.text).not.toContain(text.slice(-40))
    },
  )

  test('is none where nothing is wrong, whatever is claimed beside', async () => {
    for (const token of [
      good,
      sign({ email: 5, nbf: NOW }),
      sign({ aud: ['a', 'svc-reference-server'] }),
      sign({}, { typ: 'application/at+jwt' }),
    ])
      await service.check({ path: '/employees', headers: { authorization: `Bearer ${await token}` } }, { status: 200 })
  })

  test('two Authorization headers are 400, also if one of them is right', async () => {
    const { host } = new URL(service.url)
    for (const [first, second] of [
      [basic('ada'), basic('eve')],
      [basic('ada'), basic('ada')],
      [`Bearer ${await good}`, basic('ada')],
    ]) {
      const head = `GET /employees/1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${first}\r\nauthorization: ${second}\r\nConnection: close\r\n\r\n`
      const answer = await exchange(service.url, head)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('WWW-Authenticate: Bearer realm="svc", error="invalid_request"')
      expect(answer).toContain('"code":"INVALID_REQUEST"')
    }
  })

  test('the name of the key that the operator gave is kept, in tokens and in the published keys', async () => {
    const keys = JSON.parse((await service.check({ path: '/.well-known/jwks.json' }, { status: 200 })).text).keys
    expect(keys).toMatchObject([{ kid: 'the-operators-key' }])
    const call = { as: 'ada', method: 'POST', path: '/tokens', headers: FORM, body: 'grant_type=client_credentials' }
    const { access_token } = JSON.parse((await service.check(call, { status: 200 })).text)
    expect(decodeProtectedHeader(access_token).kid).toBe('the-operators-key')
  })
})

describe('POST /tokens', () => {
  const service = serviceFor()
  const grant = 'grant_type=client_credentials'
  test.each<[string, string, string | undefined, number, string, string]>([
    ['no grant_type', '', basic('ada'), 400, 'invalid_request', 'INVALID_REQUEST'],
    ['an empty grant_type', 'grant_type=', basic('ada'), 400, 'invalid_request', 'INVALID_REQUEST'],
    [
      'another grant_type',
      'grant_type=password',
      basic('ada'),
      400,
      'unsupported_grant_type',
      'UNSUPPORTED_GRANT_TYPE',
    ],
    ['two of them', `${grant}&${grant}`, basic('ada'), 400, 'invalid_request', 'INVALID_REQUEST'],
    ['two ways to authenticate', `${grant}&client_secret=x`, basic('ada'), 400, 'invalid_request', 'INVALID_REQUEST'],
    ['scopes that nobody has', `${grant}&scope=nothing%20known`, basic('ada'), 400, 'invalid_scope', 'INVALID_SCOPE'],
    [
      'scopes that the user has not',
      `${grant}&scope=employees:write`,
      basic('eve'),
      400,
      'invalid_scope',
      'INVALID_SCOPE',
    ],
    ['no client', grant, undefined, 401, 'invalid_client', 'AUTHENTICATION_REQUIRED'],
    ['a wrong password', grant, basic('ada', 'wrong'), 401, 'invalid_client', 'INVALID_CREDENTIALS'],
    ['a token', grant, 'Bearer a.b.c', 401, 'invalid_client', 'INVALID_TOKEN'],
    ['__proto__ twice', '__proto__=1&__proto__=2', basic('ada'), 400, 'invalid_request', 'INVALID_REQUEST'],
  ])('rejects %s as RFC 6749 §5.2 says', async (_title, body, authorization, status, error, code) => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'application/xml']) {
      const headers = { ...FORM, accept, ...(authorization && { authorization }) }
      const expected = {
        ...record(status, code, '/tokens'),
        error,
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      }
      const fields = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
      const answer = await service.check(
        { method: 'POST', path: '/tokens', headers, body },
        { status, headers: fields, body: expected },
      )
      if (status === 401)
        expect(answer.headers['www-authenticate']).toMatch(code === 'INVALID_TOKEN' ? /Bearer/ : /Basic/)
    }
  })

  test('issues what can be granted, and forbids every cache to keep it', async () => {
    const call = {
      as: 'eve',
      method: 'POST',
      path: '/tokens',
      headers: FORM,
      body: `${grant}&scope=employees:read%20employees:write`,
    }
    const headers = { 'cache-control': 'no-store', pragma: 'no-cache' }
    await service.check(call, { status: 200, headers, body: { scope: 'employees:read', token_type: 'Bearer' } })
  })

  test('rejects another type of body as an Error record with a code of OAuth', async () => {
    await service.check(
      { as: 'ada', method: 'POST', path: '/tokens', json: {} },
      { status: 415, body: { error: 'invalid_request', code: 'UNSUPPORTED_MEDIA_TYPE' } },
    )
    await service.check({ as: 'ada', path: '/tokens' }, { status: 405, body: record(405, 'METHOD_NOT_ALLOWED') })
  })
})

describe('discovery', () => {
  const METADATA = '/.well-known/oauth-authorization-server'
  const discover = async (url: string, headers = {}) => JSON.parse((await send(url, { path: METADATA, headers })).text)
  const tokenFrom = async (endpoint: string): Promise<string> => {
    const { origin, pathname } = new URL(endpoint)
    const headers = { ...FORM, authorization: basic('ada') }
    const answer = await send(origin, {
      method: 'POST',
      path: pathname,
      headers,
      body: 'grant_type=client_credentials',
    })
    return JSON.parse(answer.text).access_token
  }
  let services: Service[] = []
  const started = async (env: Environment): Promise<Service> => {
    const service = await startService(env)
    services.push(service)
    return service
  }
  beforeAll(() => void (services = []))
  afterAll(() => Promise.all(services.map((service) => service.running.stop())))

  test('names the origin under which it was asked for, which works, and which tokens name too', async () => {
    const { url, check } = await started({})
    const { port } = new URL(url)
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const metadata = await discover(origin)
      expect(metadata).toMatchObject({
        issuer: origin,
        token_endpoint: `${origin}/tokens`,
        jwks_uri: `${origin}/.well-known/jwks.json`,
      })
      const token = await tokenFrom(metadata.token_endpoint)
      expect(decodeJwt(token).iss).toBe(metadata.issuer)
      expect((await send(metadata.jwks_uri.slice(0, -22), { path: '/.well-known/jwks.json' })).status).toBe(200)
      // A token is good under each name of the service.
      await check({ path: '/employees/1', headers: { authorization: `Bearer ${token}` } }, { status: 200 })
    }
    const made = await check({ method: 'POST', path: '/_demo/tokens', json: { user: 'ada' } }, { status: 200 })
    expect(JSON.parse(made.text).claims.iss).toBe(url)
  })

  test('believes no name that is not one of this machine', async () => {
    const { url } = await started({})
    expect((await send(url, { path: METADATA, headers: { host: 'evil.example' } })).status).toBe(421)
    const open = await started({ HOST: '0.0.0.0' })
    const { port } = new URL(open.url)
    const answer = await send(`http://127.0.0.1:${port}`, { path: METADATA, headers: { host: 'evil.example' } })
    expect(JSON.parse(answer.text).issuer).toBe(`http://127.0.0.1:${port}`)
  })

  test('names SVC_PUBLIC_URL, whatever the request was sent to', async () => {
    const { url } = await started({ SVC_PUBLIC_URL: 'https://api.example.com/svc' })
    const expected = { issuer: 'https://api.example.com/svc', token_endpoint: 'https://api.example.com/svc/tokens' }
    expect(await discover(url, { host: 'api.example.com' })).toMatchObject(expected)
    expect(await discover(url)).toMatchObject(expected)
    expect(decodeJwt(await tokenFrom(`${url}/tokens`)).iss).toBe('https://api.example.com/svc')
  })

  test('names SVC_JWT_ISSUER as the issuer, and the endpoints where they are', async () => {
    const { url } = await started(env)
    expect(await discover(url)).toMatchObject({ issuer: ISSUER, token_endpoint: `${url}/tokens` })
    expect(decodeJwt(await tokenFrom(`${url}/tokens`)).iss).toBe(ISSUER)
  })

  test.each([
    'https://evil.example',
    'http://localhost.evil.example:3000',
    'http://localhost:3000/x',
    'localhost',
    'http://user@localhost',
    'ftp://localhost',
    '',
  ])('rejects tokens of the issuer %j where none is configured', async (iss) => {
    const { check } = await started({ SVC_SIGNING_KEY })
    await check({ path: '/employees/1', headers: { authorization: `Bearer ${await sign({ iss })}` } }, { status: 401 })
    const token = await sign({ iss: 'http://localhost:3000' })
    await check({ path: '/employees/1', headers: { authorization: `Bearer ${token}` } }, { status: 200 })
  })
})
