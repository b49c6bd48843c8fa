import { linkPrefix, versioning, versionOf } from '@svc/versioning/fetch'
import { describe, expect, test } from 'vitest'

const api = versioning({
  versions: ['1', '2'],
  vendor: 'svc',
  deprecated: { 1: { since: new Date(1688169599000), docsUrl: '/docs' } },
})
const request = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(`https://api.example${path}`, { headers })
const echo = (passed: Request): Response =>
  Response.json({ ...versionOf(passed), url: passed.url, prefix: linkPrefix(passed) })

describe('versioning() on Fetch hosts', () => {
  test.each<[string, Record<string, string>, object]>([
    ['/v2/orders?a=b', {}, { version: '2', source: 'path', prefix: '/v2', url: 'https://api.example/orders?a=b' }],
    ['/orders', {}, { version: '1', source: 'default', prefix: '', url: 'https://api.example/orders' }],
    ['/orders', { 'api-version': '2' }, { version: '2', source: 'API-Version' }],
    ['/orders', { 'accept-version': '>=1' }, { version: '2', source: 'Accept-Version' }],
    ['/orders', { accept: 'application/vnd.svc.v2+json' }, { version: '2', source: 'media-type' }],
  ])('resolves %s with %j', async (path, headers, expected) => {
    const response = await api(request(path, headers), echo)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject(expected)
  })

  test('adds its headers, and merges Link and Vary', async () => {
    const own = { link: '</a>; rel="next"', vary: 'Origin' }
    const { headers } = await api(request('/v1/orders'), () => new Response('ok', { headers: own }))
    expect(headers.get('api-version')).toBe('1')
    expect(headers.get('api-supported-versions')).toBe('1, 2')
    expect(headers.get('deprecation')).toBe('@1688169599')
    expect(headers.get('link')).toMatch(/^<\/a>; rel="next", <\/docs>; rel="deprecation"/)
    expect(headers.get('vary')).toBe('Origin, Accept')
  })

  test("adds no headers with 'none', which headersFor returns", async () => {
    const quiet = versioning({ versions: ['1', '2'], headers: 'none' })
    const asked = request('/v2/orders')
    const { headers } = await quiet(asked, () => new Response('ok'))
    expect([headers.get('api-version'), headers.get('vary')]).toEqual([null, null])
    expect(quiet.headersFor(asked)).toMatchObject({ 'API-Version': '2' })
  })

  test('sets the requested vendor type on a JSON response', async () => {
    const asked = request('/orders', { accept: 'application/vnd.svc.v2+json' })
    expect((await api(asked, echo)).headers.get('content-type')).toBe('application/vnd.svc.v2+json')
    const failed = await api(asked, () => Response.json({}, { status: 404 }))
    expect(failed.headers.get('content-type')).toBe('application/json')
  })

  test.each<[string, Record<string, string>, number, string]>([
    ['/v9/orders', {}, 404, 'ERR_VERSIONING_UNSUPPORTED'],
    ['/v1/orders', { 'api-version': '2' }, 400, 'ERR_VERSIONING_CONFLICT'],
    ['/orders', { accept: 'application/vnd.svc.v9+json' }, 406, 'ERR_VERSIONING_UNSUPPORTED'],
  ])('rejects %s with %j', async (path, headers, status, code) => {
    const response = await api(request(path, headers), () => expect.fail('must not be called'))
    expect(response.status).toBe(status)
    expect(response.headers.get('api-supported-versions')).toBe('1, 2')
    expect(await response.json()).toMatchObject({ status, code, path })
  })

  test('throws the error with onRefused, and calls readers with the request', async () => {
    const custom = versioning({
      versions: ['1', '2'],
      sources: [
        { name: 'host', read: async ({ url }) => new URL(url).searchParams.get('v') ?? undefined },
        { header: 'X-V' },
      ],
      onRefused: 'throw',
    })
    expect(await (await custom(request('/a?v=2'), echo)).json()).toMatchObject({ version: '2', source: 'host' })
    expect(await (await custom(request('/a', { 'x-v': '2' }), echo)).json()).toMatchObject({ source: 'X-V' })
    await expect(custom(request('/a?v=9'), echo)).rejects.toMatchObject({
      status: 400,
      code: 'ERR_VERSIONING_UNSUPPORTED',
    })
  })

  test('returns the 101 of a WebSocket upgrade as it is', async () => {
    // A 101 of Deno and Workers, which Node.js does not construct.
    const upgrade = Object.defineProperty(new Response(null), 'status', { value: 101 })
    expect(await api(request('/v1/socket'), () => upgrade)).toBe(upgrade)
    // A handler of Bun returns nothing after an upgrade.
    expect(await api(request('/v1/socket'), () => undefined as never)).toBeUndefined()
  })

  test('keeps the method, the body and the version if it is mounted twice', async () => {
    const post = new Request('https://api.example/v2/orders', { method: 'POST', body: '{"a":1}' })
    const response = await api(post, (outer) =>
      api(outer, async (inner) => new Response(`${inner.method} ${await inner.text()} ${inner.url}`)),
    )
    expect(await response.text()).toBe('POST {"a":1} https://api.example/orders')
  })

  test('leaves facts of other packages on the request without its prefix', async () => {
    const fact = Symbol.for('svc.ratelimit')
    const asked = Object.assign(request('/v2/orders'), { [fact]: 'counted' })
    let seen: unknown
    await api(asked, (passed) => {
      seen = Reflect.get(passed, fact)
      return echo(passed)
    })
    expect(seen).toBe('counted')
  })

  test('returns 410 in a brownout', async () => {
    const brownouts = [{ from: new Date(1000), until: new Date(3000) }]
    const ending = versioning({
      versions: ['1', '2'],
      deprecated: { 1: { brownouts } },
      now: () => 2000,
      onRefused: ({ status, headers = {} }) => new Response(null, { status, headers }),
    })
    const { status, headers } = await ending(request('/v1/a'), echo)
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([410, '1', 'no-store'])
  })

  test('throws a TypeError for an option that is not valid', () => {
    expect(() => versioning({ versions: ['1.0'] })).toThrow("set scheme: 'semver'")
  })
})
