import { collections } from '../../domain/collections.ts'
import type { Stage } from '../../engine/request-state.ts'
import { getOrigin } from '../../security/origin.ts'
import { type Asset, assets, icon } from './assets.ts'
import type { SiteConfig } from './view.ts'

const DAY = 'public, max-age=86400'
const HOUR = 'public, max-age=3600'
const TEXT = 'text/plain; charset=utf-8'

/**
 * Serves the files of pages below `/assets/`, and those that programs look for at the root of every site: `/favicon.ico`,
 * `/robots.txt` and `/llms.txt`.
 */
export function siteFiles(site: SiteConfig, added: readonly Asset[]): Stage {
  const serveAsset = assets(added)
  const robots = writeRobots(site)
  return (state) => {
    const { req, method, path } = state
    if (path.startsWith('/assets/')) return serveAsset(state)
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (path === '/favicon.ico') return { representation: { type: icon.type, body: icon.body(), cacheControl: DAY } }
    if (path === '/robots.txt') return { representation: { type: TEXT, body: robots, cacheControl: DAY } }
    if (path !== '/llms.txt') return undefined
    const body = writeOverview(site.publicUrl || getOrigin(req, ''), site)
    return { representation: { type: TEXT, body, cacheControl: HOUR } }
  }
}

function writeRobots({ additions }: SiteConfig): string {
  const unlisted = additions.flatMap(({ unlisted = [] }) => unlisted)
  return [
    'User-agent: *',
    ...(unlisted.length > 0 ? unlisted : ['']).map((path) => `Disallow: ${path}`.trim()),
    '',
  ].join('\n')
}

/** An overview of the API for language models (llmstxt.org). Links are absolute, since it is read out of context. */
function writeOverview(base: string, { users, additions, findMethods }: SiteConfig): string {
  const link = (path: string, name: string, says: string): string => `- [${name}](${base}${path}): ${says}`
  const roots = collections.filter(({ path }) => !path.includes('{'))
  const added = additions.flatMap(({ outline = [] }) => outline.map(({ path, name, says }) => link(path, name, says)))
  const tried =
    users.length > 0
      ? ['- Demo users send Basic credentials, such as `ada:ada-demo` (every scope) or `eve:eve-demo` (reads).']
      : []
  const demo = [...added, ...tried]
  return `${[
    '# Svc reference server',
    '',
    '> Employees, customers, products and orders over HTTP (JSON, HAL, XML, CSV, HTML by Accept) and over SOAP.',
    '',
    'Every error is a JSON record with `timestamp`, `status`, `error`, `message`, `path` and `code`. Credentials are sent in',
    '`Authorization` (Basic or Bearer). Lists take `page`, `size`, `sort` and a filter per field; unknown parameters are 400.',
    '',
    '## API',
    '',
    link('/openapi.json', 'OpenAPI document', 'every path, parameter and schema'),
    link('/docs', 'Documentation', 'the same as a page'),
    link('/tokens', 'Tokens', 'POST, OAuth client credentials'),
    link('/.well-known/oauth-authorization-server', 'Authorization server', 'metadata (RFC 8414)'),
    link('/health', 'Health', 'whether the service is ready'),
    '',
    '## Collections',
    '',
    ...roots.map(({ name, path }) => link(path, name, findMethods(path).join(', '))),
    '',
    '## SOAP',
    '',
    link('/ws/customer?wsdl', 'CustomerService', 'WSDL 1.1, SOAP 1.2 and 1.1'),
    link('/ws/PriceService?wsdl', 'PriceService', 'WSDL 1.1, SOAP 1.2 and 1.1'),
    ...(demo.length > 0 ? ['', '## Demo', '', ...demo] : []),
  ].join('\n')}\n`
}
