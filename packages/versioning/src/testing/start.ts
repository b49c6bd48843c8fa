import { linkPrefix, linkTo, type VersioningOptions, versionOf } from '@svc/versioning'
import { afterEach } from 'vitest'
import { hosts, listen, type Pipeline, type RunningHost } from '../../../internal/testing/hosts.ts'

const running: RunningHost[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()))
})

/** Starts a server with a custom listener. It closes after the test. */
export async function start(listener: Parameters<typeof listen>[0]): Promise<string> {
  const server = await listen(listener)
  running.push(server)
  return server.url
}

/** Starts a pipeline on a host. */
export const startOn = (host: string, pipeline: Pipeline): Promise<string> =>
  start((hosts[host] as (typeof hosts)[string])(pipeline))

/** Responds with the version that the middleware resolved. */
export const echo: NonNullable<Pipeline['handler']> = (req, res) => {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.end(
    JSON.stringify({ ...versionOf(req), url: req.url, base: linkPrefix(req), link: linkTo(req, '/orders/7#top') }),
  )
}

export const options = {
  versions: ['1', '2'],
  default: '1',
  retired: { '0': {} },
  vendor: 'svc',
  sources: ['path', 'API-Version', 'Accept-Version', 'media-type', { query: 'api-version' }],
  scheme: 'semver',
  deprecated: { '1': { since: new Date(1688169599000), sunset: new Date(1719791999000), docsUrl: '/docs/v2' } },
} satisfies VersioningOptions

export const successor = '</v2/>; rel="successor-version", </v2/>; rel="latest-version"'
export const discovery = { 'api-supported-versions': '1, 2', 'api-deprecated-versions': '1' }
