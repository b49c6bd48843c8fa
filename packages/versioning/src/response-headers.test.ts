import { versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { discovery, echo, options, startOn } from './testing/start.ts'

describe('headers', () => {
  const NAMES = ['api-version', 'vary', 'link', 'deprecation', 'sunset', ...Object.keys(discovery)]

  test.each(['all', 'minimal'] as const)('are the same from the middleware and from headersFor: %s', async (set) => {
    const fromMiddleware = await startOn('node:http', {
      middlewares: [versioning({ ...options, headers: set })],
      handler: (_req, res) => void res.end(),
    })
    const api = versioning({ ...options, headers: 'none' })
    const fromFunction = await startOn('node:http', {
      middlewares: [api],
      handler: (req, res) => void res.writeHead(200, api.headersFor(req, set)).end(),
    })
    const [a, b] = [await check(fromMiddleware, {}, { status: 200 }), await check(fromFunction, {}, { status: 200 })]
    for (const name of NAMES) expect(b.headers[name], name).toBe(a.headers[name])
  })

  test('from headersFor are created once and frozen', () => {
    const api = versioning(options)
    const [first, second] = [api.headersFor({}), api.headersFor({})]
    expect(first).toBe(second)
    expect(Object.isFrozen(first)).toBe(true)
    expect(api.headersFor({}, 'minimal')).toEqual({ Vary: first['Vary'] })
  })

  test("omit the discovery headers with 'minimal'", async () => {
    const url = await startOn('node:http', {
      middlewares: [versioning({ ...options, headers: 'minimal' })],
      handler: echo,
    })
    await check(
      url,
      {},
      { headers: { 'api-version': '1', 'api-supported-versions': undefined, deprecation: '@1688169599' } },
    )
    expect.hasAssertions()
  })
})

test('mediaTypesFor returns the vendor types of the version, the requested one first', () => {
  const api = versioning(options)
  const plain = ['application/json', 'application/hal+json', 'application/xml', 'text/csv']
  expect(api.mediaTypesFor('2', plain)).toEqual([
    ...plain.map((type) => ({ type, format: type })),
    { type: 'application/vnd.svc.v2+json', format: 'application/json' },
    { type: 'application/vnd.svc.v2+xml', format: 'application/xml' },
    { type: 'application/vnd.svc.v2+csv', format: 'text/csv' },
  ])
  const asked = {
    version: '2',
    source: 'media-type',
    prefix: '',
    deprecated: false,
    mediaType: 'application/vnd.svc.v2+xml',
  }
  expect(api.mediaTypesFor(asked, ['application/json', 'application/xml']).map(({ type }) => type)).toEqual([
    'application/vnd.svc.v2+xml',
    'application/json',
    'application/xml',
    'application/vnd.svc.v2+json',
  ])
  expect(versioning({ versions: ['1'] }).mediaTypesFor('1', ['application/json'])).toHaveLength(1)
})
