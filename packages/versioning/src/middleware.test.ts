import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type VersioningEvent, versioning, versionOf } from '@svc/versioning'
import express from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import { check, type Expectation, type RequestLiteral } from '../../internal/testing/check.ts'
import { hosts } from '../../internal/testing/hosts.ts'
import { discovery, echo, options, start, startOn, successor } from './testing/start.ts'

const unprefixed = { vary: 'Accept, API-Version, Accept-Version' }

const served: [string, RequestLiteral, Expectation][] = [
  [
    'serves the default and tells about it',
    { path: '/employees?page=2' },
    {
      headers: {
        ...discovery,
        ...unprefixed,
        'api-version': '1',
        deprecation: '@1688169599',
        sunset: 'Sun, 30 Jun 2024 23:59:59 GMT',
        link: `</docs/v2>; rel="deprecation"; type="text/html", ${successor}`,
      },
      body: {
        url: '/employees?page=2',
        version: '1',
        source: 'default',
        base: '',
        link: '/orders/7#top',
        deprecated: true,
      },
    },
  ],
  [
    'takes the prefix off for the router behind',
    { path: '/v2/employees?page=2' },
    {
      headers: {
        ...discovery,
        'api-version': '2',
        deprecation: undefined,
        sunset: undefined,
        link: undefined,
        vary: 'Accept',
      },
      body: { url: '/employees?page=2', version: '2', base: '/v2', link: '/v2/orders/7#top', deprecated: false },
    },
  ],
  ['leaves a root behind a bare prefix', { path: '/v2?a' }, { body: { url: '/?a', version: '2' } }],
  ['takes one prefix off, not two', { path: '/v2/v1/x' }, { body: { url: '/v1/x', version: '2' } }],
  [
    'keeps a query strategy in links',
    { path: '/x?api-version=2&a=b' },
    {
      headers: unprefixed,
      body: { version: '2', source: 'query', link: '/orders/7?api-version=2#top', url: '/x?api-version=2&a=b' },
    },
  ],
  [
    'serves a header',
    { headers: { 'API-Version': '2' } },
    { headers: unprefixed, body: { version: '2', source: 'API-Version' } },
  ],
  ['joins repeated headers', { headers: { 'API-Version': ['2', 'v2'] } }, { body: { version: '2' } }],
  [
    'answers a vendor type with this type',
    { headers: { accept: 'application/vnd.svc.v2+json' } },
    { headers: { 'content-type': 'application/vnd.svc.v2+json; charset=utf-8', 'api-version': '2' } },
  ],
  [
    'leaves a type alone that is not what the vendor type stands for',
    { headers: { accept: 'application/vnd.svc.v2+xml' } },
    { headers: { 'content-type': 'application/json; charset=utf-8', 'api-version': '2' } },
  ],
]

const supported = 'Supported versions: 1, 2.'
const refused: [string, RequestLiteral, number, string, string][] = [
  [
    'an unknown path',
    { path: '/v3/x' },
    404,
    'UNSUPPORTED',
    `The path names a version that is not supported. ${supported}`,
  ],
  [
    'a malformed path',
    { path: '/v02/x' },
    404,
    'UNSUPPORTED',
    `The path names a version that is not supported. ${supported}`,
  ],
  ['a retired path', { path: '/v0/x' }, 410, 'RETIRED', `This version is no longer supported. ${supported}`],
  [
    'an unknown header',
    { headers: { 'api-version': '3' } },
    400,
    'UNSUPPORTED',
    `API-Version names a version that is not supported. ${supported}`,
  ],
  [
    'a malformed header',
    { headers: { 'accept-version': '~x' } },
    400,
    'MALFORMED',
    `Accept-Version is not a valid version. ${supported}`,
  ],
  [
    'an unknown Accept',
    { headers: { accept: 'application/vnd.svc.v3+json' } },
    406,
    'UNSUPPORTED',
    `Accept names a version that is not supported. ${supported}`,
  ],
  [
    'an unknown Content-Type',
    { method: 'POST', headers: { 'content-type': 'application/vnd.svc.v3+json' } },
    415,
    'UNSUPPORTED',
    `Content-Type names a version that is not supported. ${supported}`,
  ],
  [
    'a conflict of two sources',
    { path: '/v2/x', headers: { 'api-version': '1' } },
    400,
    'CONFLICT',
    `The path and API-Version name different versions. ${supported}`,
  ],
  [
    'a conflict within one',
    { headers: { 'api-version': ['1', '2'] } },
    400,
    'CONFLICT',
    `API-Version names different versions. ${supported}`,
  ],
]

describe.each(Object.keys(hosts))('versioning on %s', (host) => {
  test.each(served)('%s', async (_name, literal, expected) => {
    const url = await startOn(host, { middlewares: [versioning(options)], handler: echo })
    await check(url, literal, { status: 200, ...expected })
    expect.hasAssertions()
  })

  test.each(refused)('rejects %s', async (_name, literal, status, code, message) => {
    const failed: unknown[] = []
    const headers = { ...discovery, ...unprefixed, 'api-version': undefined }
    const url = await startOn(host, { middlewares: [versioning(options)], handler: echo })
    await check(url, literal, { status, headers, body: { status, message } })
    const api = versioning({ ...options, onRefused: (error, _req, res) => void (failed.push(error.code), res.end()) })
    await check(await startOn(host, { middlewares: [api], handler: echo }), literal, { status: 200 })
    expect(failed).toEqual([`ERR_VERSIONING_${code}`])
  })

  test('links to the successor of a retired version', async () => {
    const url = await startOn(host, { middlewares: [versioning(options)], handler: echo })
    await check(
      url,
      { path: '/v0' },
      { headers: { link: '</v1/>; rel="successor-version", </v2/>; rel="latest-version"' } },
    )
    expect.hasAssertions()
  })

  test.each([400, 422])('adds its headers to a later %i, and never a vendor type', async (status) => {
    const url = await startOn(host, {
      middlewares: [versioning(options)],
      handler: (_req, res) => {
        res.statusCode = status
        res.setHeader('Content-Type', 'application/json')
        res.end('{}')
      },
    })
    const headers = { 'api-version': '2', 'content-type': 'application/json', ...unprefixed }
    await check(url, { headers: { accept: 'application/vnd.svc.v2+json' } }, { status, headers })
    expect.hasAssertions()
  })

  test('merges Vary and Link with existing values', async () => {
    const url = await startOn(host, {
      middlewares: [
        (_req, res, next) => {
          res.setHeader('Vary', 'Origin, api-version')
          res.setHeader('Link', '</terms>; rel="terms-of-service"')
          next()
        },
        versioning(options),
      ],
      handler: echo,
    })
    const link = `</terms>; rel="terms-of-service", </docs/v2>; rel="deprecation"; type="text/html", ${successor}`
    await check(url, {}, { headers: { vary: 'Origin, api-version, Accept, Accept-Version', link } })
    expect.hasAssertions()
  })

  test('resolves the version once if it is mounted twice', async () => {
    const api = versioning(options)
    const url = await startOn(host, { middlewares: [api, api], handler: echo })
    await check(url, { path: '/v2/v1/x' }, { headers: { 'api-version': '2', vary: 'Accept' }, body: { url: '/v1/x' } })
    expect.hasAssertions()
  })

  test('publishes the version of each request, or its error', async () => {
    const events: unknown[] = []
    const listener = (message: unknown): void => {
      const { version, code, req } = message as VersioningEvent
      events.push([req.method, version?.version, version?.source, version?.deprecated, code])
    }
    subscribe('svc:versioning:request', listener)
    const url = await startOn(host, { middlewares: [versioning(options)], handler: echo })
    await check(url, { path: '/v2/x' }, { status: 200 })
    await check(url, { method: 'DELETE' }, { status: 200 })
    await check(url, { path: '/v3/x' }, { status: 404 })
    unsubscribe('svc:versioning:request', listener)
    expect(events).toEqual([
      ['GET', '2', 'path', false, undefined],
      ['DELETE', '1', 'default', true, undefined],
      ['GET', undefined, undefined, undefined, 'ERR_VERSIONING_UNSUPPORTED'],
    ])
  })
})

describe.each([
  ['express 4', express4],
  ['express 5', express],
])('below a mount path of %s', (_name, makeApp) => {
  test('finds the version after it, and restores the path', async () => {
    const app = makeApp()
    app.use('/api', versioning(options))
    app.use(
      (req, res) => void res.json({ url: req.url, originalUrl: req.originalUrl, version: versionOf(req)?.version }),
    )
    const url = await start(app)
    const body = { url: '/api/x', originalUrl: '/api/v2/x', version: '2' }
    await check(url, { path: '/api/v2/x' }, { status: 200, body })
    await check(url, { path: '/v2/x' }, { body: { url: '/v2/x' } })
    expect.hasAssertions()
  })

  test('routes the same path for every strategy', async () => {
    const app = makeApp()
    app.use(versioning(options))
    app.get('/employees/:id', (req, res) => void res.json({ id: req.params['id'], version: versionOf(req)?.version }))
    const url = await start(app)
    const body = { id: '7', version: '2' }
    await check(url, { path: '/v2/employees/7' }, { status: 200, body })
    await check(url, { path: '/employees/7', headers: { 'api-version': '2' } }, { status: 200, body })
    await check(
      url,
      { path: '/employees/7', headers: { accept: 'application/vnd.svc.v2+json' } },
      { status: 200, body },
    )
    expect.hasAssertions()
  })
})
