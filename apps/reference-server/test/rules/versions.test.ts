import { describe, expect, test } from 'vitest'
import { onEveryDatabase, serviceFor } from '../service.ts'

const V1 = { id: 1, salary: expect.any(Number), department: expect.any(String) }
const V2 = { id: 1, salary: { amount: expect.any(String), currency: 'EUR' }, department: { name: expect.any(String) } }

onEveryDatabase('9 versions', (service) => {
  const get = (path: string, headers: Record<string, string>, body: object) =>
    service.check({ as: 'eve', path, headers }, { status: 200, body })

  test('9-uri the path names the version', async () => {
    await get('/v1/employees/1', {}, { ...V1, _links: { self: { href: '/v1/employees/1' } } })
    await get('/v2/employees/1', {}, { ...V2, _links: { self: { href: '/v2/employees/1' } } })
    await service.check({ as: 'eve', path: '/v9/employees/1' }, { status: 404 })
  })

  test('9-header API-Version or Accept-Version names the version', async () => {
    for (const name of ['api-version', 'accept-version']) {
      await get('/employees/1', { [name]: '1' }, V1)
      await get('/employees/1', { [name]: '2' }, V2)
      await service.check({ as: 'eve', path: '/employees/1', headers: { [name]: '9' } }, { status: 400 })
    }
  })

  test('9-media-type the media type names the version', async () => {
    await get('/employees/1', { accept: 'application/vnd.svc.v1+json' }, V1)
    const { headers } = await get('/employees/1', { accept: 'application/vnd.svc.v2+json' }, V2)
    expect(headers['content-type']).toMatch(/^application\/vnd\.svc\.v2\+json/)
    const unknown = { accept: 'application/vnd.svc.v9+json' }
    await service.check({ as: 'eve', path: '/employees/1', headers: unknown }, { status: 406 })
  })

  test('9-compatible a client that names no version keeps the format of version 1', async () => {
    const plain = await get('/employees/1', {}, V1)
    const named = await get('/employees/1', { 'api-version': '1' }, V1)
    expect(named.text).toBe(plain.text)
    const json = { name: 'Two', department: { name: 'Sales' }, salary: { amount: '10.50', currency: 'EUR' } }
    const made = await service.check({ as: 'ada', method: 'POST', path: '/v2/employees', json }, { status: 201 })
    const path = (made.headers['location'] ?? '').replace('/v2', '')
    await get(path, {}, { name: 'Two', department: 'Sales', salary: 10.5 })
  })

  test('9-1 the path is the same for every version, links too', async () => {
    for (const version of ['1', '2']) {
      const { text, headers } = await get('/employees/1', { 'api-version': version }, { id: 1 })
      expect(JSON.parse(text)._links.self.href).toBe('/employees/1')
      expect(headers['api-version']).toBe(version)
    }
    const both = { 'api-version': '1', 'accept-version': '2' }
    await service.check({ as: 'eve', path: '/employees/1', headers: both }, { status: 400 })
  })

  test('9-2 caches key on what bears the version', async () => {
    const vary = async (headers: Record<string, string>): Promise<string> =>
      (await get('/employees/1', headers, { id: 1 })).headers['vary'] ?? ''
    expect(await vary({ accept: 'application/vnd.svc.v2+json' })).toMatch(/\bAccept\b(?!-)/)
    expect(await vary({ 'api-version': '2' })).toMatch(/\bAPI-Version\b/i)
    const [one, two] = [await get('/v1/employees/1', {}, V1), await get('/v2/employees/1', {}, V2)]
    expect(one.headers['etag']).not.toBe(two.headers['etag'])
  })

  test('9-3 SOAP has the version in its target namespace', async () => {
    const { text } = await service.check({ path: '/ws/customer?wsdl' }, { status: 200 })
    expect(text).toMatch(/targetNamespace="http:\/\/svc\.example\/ws\/customer\/v1"/)
  })

  test('9-4 versions are 1 and 2, the default is 1, and none is deprecated', async () => {
    const silent = { deprecation: undefined, sunset: undefined, link: undefined }
    const noDiscovery = { 'api-supported-versions': undefined, 'api-deprecated-versions': undefined }
    const expected = { ...silent, ...noDiscovery }
    await service.check(
      { as: 'eve', path: '/employees/1' },
      { status: 200, headers: { 'api-version': '1', ...expected } },
    )
    await service.check(
      { as: 'eve', path: '/v2/employees/1' },
      { status: 200, headers: { 'api-version': '2', ...expected } },
    )
  })

  test('9-4 OPTIONS and version errors list the supported versions', async () => {
    const headers = { 'api-supported-versions': '1, 2', 'api-deprecated-versions': undefined }
    await service.check({ method: 'OPTIONS', path: '/employees/1' }, { status: 204, headers })
    for (const [version, status] of [
      ['9', 400],
      ['x', 400],
    ] as const)
      await service.check({ as: 'eve', path: '/employees/1', headers: { 'api-version': version } }, { status, headers })
    await service.check({ as: 'eve', path: '/v9/employees' }, { status: 404, headers })
  })
})

describe('9 a version that is deprecated', () => {
  const service = serviceFor(() => ({ SVC_DEPRECATED_VERSIONS: '1=2026-09-01/2028-12-01' }))

  test('9-4 the end of a version is announced if the configuration says so', async () => {
    const headers = {
      'api-version': '1',
      deprecation: '@1788220800',
      sunset: 'Fri, 01 Dec 2028 00:00:00 GMT',
      link: /<\/v2\/employees\/1>; rel="successor-version"/,
      'api-deprecated-versions': undefined,
    }
    await service.check({ as: 'eve', path: '/employees/1' }, { status: 200, headers })
    const other = { 'api-version': '2', deprecation: undefined, sunset: undefined }
    await service.check({ as: 'eve', path: '/v2/employees/1' }, { status: 200, headers: other })
    const discovery = { 'api-supported-versions': '1, 2', 'api-deprecated-versions': '1' }
    await service.check({ method: 'OPTIONS', path: '/employees/1' }, { status: 204, headers: discovery })
  })
})
