import { linkBase, type VersioningOptions, versioning, versionOf } from '@svc/versioning'
import { afterEach, describe, expect, test } from 'vitest'
import { check, type Expectation, type RequestLiteral } from '../../internal/testing/check.ts'
import { hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const running: RunningHost[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()))
})

async function start(host: string, pipeline: Pipeline): Promise<string> {
  const server = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  running.push(server)
  return server.url
}

const options = {
  versions: ['1', '2'],
  default: '1',
  vendor: 'svc',
  deprecated: { '1': { since: new Date(1688169599000), sunset: new Date(1719791999000), link: '/docs/v2' } },
} satisfies VersioningOptions

const rows: [string, RequestLiteral, Expectation][] = [
  [
    'serves the default and tells about it',
    { path: '/employees?page=2' },
    {
      status: 200,
      headers: {
        'api-version': '1',
        'api-supported-versions': '1, 2',
        'api-deprecated-versions': '1',
        deprecation: '@1688169599',
        sunset: 'Sun, 30 Jun 2024 23:59:59 GMT',
        link: '</docs/v2>; rel="deprecation"; type="text/html", </v2/>; rel="successor-version", </v2/>; rel="latest-version"',
        vary: 'Accept, API-Version, Accept-Version',
      },
      body: { url: '/employees?page=2', version: '1', source: 'default', base: '', deprecated: true },
    },
  ],
  [
    'takes the prefix off for the router behind',
    { path: '/v2/employees?page=2' },
    {
      status: 200,
      headers: { 'api-version': '2', deprecation: undefined, sunset: undefined, link: undefined, vary: 'Accept' },
      body: { url: '/employees?page=2', version: '2', source: 'path', base: '/v2', deprecated: false },
    },
  ],
  ['keeps a bare prefix as the root', { path: '/v2' }, { body: { url: '/', version: '2' } }],
  [
    'answers a vendor type with this type',
    { headers: { accept: 'application/vnd.svc.v2+json' } },
    { headers: { 'content-type': 'application/vnd.svc.v2+json; charset=utf-8', 'api-version': '2' } },
  ],
  [
    'refuses a conflict and tells what is supported',
    { path: '/v2/employees', headers: { 'api-version': '1' } },
    {
      status: 400,
      headers: { 'api-supported-versions': '1, 2', vary: 'Accept, API-Version, Accept-Version' },
      body: { status: 400, message: 'path and API-Version name different versions. Supported versions: 1, 2.' },
    },
  ],
  ['refuses an unknown path version with 404', { path: '/v3/employees' }, { status: 404 }],
]

describe.each(Object.keys(hosts))('versioning on %s', (host) => {
  test.each(rows)('%s', async (_name, literal, expected) => {
    const url = await start(host, {
      middlewares: [versioning(options)],
      handler: (req, res) => {
        res.setHeader('Content-Type', 'application/json; charset=utf-8')
        res.end(JSON.stringify({ ...versionOf(req), url: req.url, base: linkBase(req) }))
      },
    })
    await check(url, literal, expected)
    expect(running).toHaveLength(1)
  })
})
