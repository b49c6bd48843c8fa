import { describe, expect, test } from 'vitest'
import type { Environment } from '../src/config.ts'
import { type Call, serviceFor } from './service.ts'

const FOREIGN = 'evil.example'
const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

describe.each<[string, Environment]>([
  ['that listens for everybody', { HOST: '0.0.0.0' }],
  ['with a name', { HOST: '0.0.0.0', SVC_PUBLIC_URL: 'https://service.example' }],
])('a service %s, asked for another host', (_title, env) => {
  const service = serviceFor(() => env)

  test.each<[number, Call]>([
    [200, { path: '/' }],
    [200, { path: '/', headers: { accept: 'text/html' } }],
    [200, { path: '/employees?size=2&page=1' }],
    [200, { path: '/employees?size=2', headers: { accept: 'application/hal+json' } }],
    [200, { path: '/v2/orders/1', headers: { accept: 'application/prs.hal-forms+json' } }],
    [201, { method: 'POST', path: '/employees', json: grace }],
    [301, { path: '/employees/' }],
    [302, { path: '/users/me' }],
    [404, { path: '/nothing', headers: { accept: 'application/problem+json' } }],
    [404, { path: '/nothing', headers: { accept: 'text/html' } }],
    [200, { path: '/openapi.json' }],
    [200, { path: '/docs', headers: { accept: 'text/html' } }],
    [200, { path: '/.well-known/oauth-authorization-server' }],
    [200, { path: '/ws/customer?wsdl' }],
    [200, { path: '/ws/customer', headers: { accept: 'text/html' } }],
    [400, { path: '/employees?page=x' }],
  ])('answers %i without its name: %o', async (status, call) => {
    const forwarded = { 'x-forwarded-host': FOREIGN, forwarded: `host=${FOREIGN}`, 'x-forwarded-proto': 'https' }
    for (const others of [{}, forwarded]) {
      const headers = { ...call.headers, ...others, host: FOREIGN }
      const { text, headers: fields } = await service.check({ as: 'ada', ...call, headers }, { status })
      expect(`${JSON.stringify(fields)} ${text}`).not.toContain(FOREIGN)
    }
  })

  test('4.2-address the contract says where it is, whatever host is asked for', async () => {
    const location = async (host: string): Promise<string | undefined> => {
      const { text } = await service.check({ path: '/ws/customer?wsdl', headers: { host } }, { status: 200 })
      return /<soap12:address location="([^"]+)"/.exec(text)?.[1]
    }
    const base = env['SVC_PUBLIC_URL'] ?? service.url.replace('0.0.0.0', '127.0.0.1')
    expect(await location(FOREIGN)).toBe(`${base}/ws/customer`)
    expect(await location('localhost:8080')).toBe(`${env['SVC_PUBLIC_URL'] ?? 'http://localhost:8080'}/ws/customer`)
  })
})
