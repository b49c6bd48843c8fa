import { versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { discovery, echo, options, startOn } from './testing/start.ts'

describe('fields', () => {
  const answers = (fields: 'all' | 'served' | 'none'): Promise<string> =>
    startOn('node:http', {
      middlewares: [versioning({ ...options, fields })],
      handler: (req, res) => {
        const own = versioning({ ...options, fields }).fieldsOf(req)
        res.writeHead(200, own.flat())
        res.end()
      },
    })

  test('set by the middleware or taken from fieldsOf are the same', async () => {
    const set = await startOn('node:http', {
      middlewares: [versioning(options)],
      handler: (_req, res) => void res.end(),
    })
    const [a, b] = [await check(set, {}, { status: 200 }), await check(await answers('none'), {}, { status: 200 })]
    for (const name of ['api-version', 'vary', 'link', 'deprecation', 'sunset', ...Object.keys(discovery)])
      expect(b.headers[name], name).toBe(a.headers[name])
  })

  test("leave the discovery out with 'served'", async () => {
    const url = await startOn('node:http', {
      middlewares: [versioning({ ...options, fields: 'served' })],
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

test('an offer list holds the vendor types of the version, the one that was asked for first', () => {
  const api = versioning(options)
  const plain = ['application/json', 'application/hal+json', 'application/xml', 'text/csv']
  expect(api.offersFor('2', plain)).toEqual([
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
  expect(api.offersFor(asked, ['application/json', 'application/xml']).map(({ type }) => type)).toEqual([
    'application/vnd.svc.v2+xml',
    'application/json',
    'application/xml',
    'application/vnd.svc.v2+json',
  ])
  expect(versioning({ versions: ['1'] }).offersFor('1', ['application/json'])).toHaveLength(1)
})
