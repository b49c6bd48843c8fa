import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSelfSigned } from '../src/process/certificate.ts'
import { type Call, record, type Service, serviceFor } from './service.ts'

const ISSUER = 'https://issuer.example'
const directory = mkdtempSync(join(tmpdir(), 'svc-issuer-'))
const { privateKey, publicKey } = await generateKeyPair('ES256')
const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'external' }] })

let respond: { status: number; body: string }
const keyServer = createServer((_req, res) => void res.writeHead(respond.status).end(respond.body))
const { cert, key } = await createSelfSigned()
const untrusted = createSecureServer({ cert, key }, (_req, res) => void res.end(keys))

beforeAll(async () => {
  for (const server of [keyServer, untrusted])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  keyServer.close()
  untrusted.close()
  rmSync(directory, { recursive: true })
})

async function bearer(path: string): Promise<Call> {
  const token = await new SignJWT({ client_id: 'reports', scope: 'employees:read', roles: ['reader'] })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'external' })
    .setIssuer(ISSUER)
    .setAudience('svc-reference-server')
    .setSubject('reports')
    .setJti('one')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey)
  return { path, headers: { authorization: `Bearer ${token}` } }
}

describe('the keys of an external issuer in a file', () => {
  const service = serviceFor(() => {
    writeFileSync(join(directory, 'jwks.json'), keys)
    return { SVC_JWKS: join(directory, 'jwks.json'), SVC_JWT_ISSUER: ISSUER }
  })

  test('verify its tokens', async () => {
    await service.check(await bearer('/employees/1'), { status: 200, body: { id: 1 } })
    await service.check(await bearer('/orders/1'), { status: 403 })
  })

  test.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server', '/_demo/tokens'])(
    'leave nothing at %s, which is about tokens of this service',
    async (path) => {
      await service.check({ as: 'ada', path }, { status: 404, body: record(404, 'ROUTE_NOT_FOUND', path) })
    },
  )

  test('leave no path that creates tokens', async () => {
    const body = 'grant_type=client_credentials'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { text } = await service.check({ as: 'ada', method: 'POST', path: '/tokens', headers, body }, { status: 404 })
    expect(JSON.parse(text)).toEqual({ ...record(404, 'ROUTE_NOT_FOUND', '/tokens'), error: 'Not Found' })
  })

  test('are described as bearer tokens', async () => {
    const { text } = await service.check({ path: '/v1/openapi.json' }, { status: 200 })
    const { components, info, tags, paths } = JSON.parse(text)
    expect(components.securitySchemes.oauth2).toMatchObject({ type: 'http', scheme: 'bearer' })
    expect(`${info.description}${JSON.stringify({ tags, paths: Object.keys(paths) })}`).not.toMatch(/"tokens"|\/tokens/)
  })

  test.each(['/', '/docs', '/_demo/map', '/play'])(
    'are not mixed up with the tokens of this service on %s',
    async (path) => {
      const { text } = await service.check({ as: 'ada', path, headers: { accept: 'text/html' } }, { status: 200 })
      expect(text.match(/\/tokens\b|jwks\.json/g)).toBeNull()
    },
  )
})

describe('the keys of an external issuer at a URL', () => {
  const service: Service = serviceFor(() => ({
    SVC_JWKS: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/`,
    SVC_JWT_ISSUER: ISSUER,
  }))

  test.each([
    ['an error', 500, '{}'],
    ['a page', 200, '<!doctype html>'],
    ['no keys', 200, '{}'],
  ])('are unavailable while it responds with %s: that is no fault of the token', async (_what, status, body) => {
    respond = { status, body }
    await service.check(await bearer('/employees/1'), { status: 503, body: record(503, 'SERVICE_UNAVAILABLE') })
  })

  test('verify tokens from the first response with keys on, also while the next ones fail', async () => {
    respond = { status: 200, body: keys }
    await service.check(await bearer('/employees/1'), { status: 200 })
    respond = { status: 500, body: '{}' }
    await service.check(await bearer('/employees/2'), { status: 200 })
  })
})

describe('the keys of an external issuer with a certificate that is not trusted', () => {
  const service: Service = serviceFor(() => ({
    SVC_JWKS: `https://127.0.0.1:${(untrusted.address() as AddressInfo).port}/`,
    SVC_JWT_ISSUER: ISSUER,
  }))

  test('are unavailable', async () => {
    const headers = { 'retry-after': '5' }
    const expected = { status: 503, headers, body: record(503, 'SERVICE_UNAVAILABLE') }
    await service.check(await bearer('/employees/1'), expected)
  })
})
