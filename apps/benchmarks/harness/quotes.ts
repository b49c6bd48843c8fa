import { written } from './figure.ts'
import type { Results } from './report.ts'

/** A row of what a README, or the home page, says of a package: ours, and the same of peers. */
interface Quote {
  label: string
  /** Suite, table and column of the figures. */
  from: [file: string, table: string, column: string]
  /** Row of the table. */
  ours: string
  /** Rows of the table, by the names that readers know. */
  peers: Record<string, string>
}

const CPU = 'CPU'
const NEGOTIATE = '@svc/negotiate'
const IDEMPOTENCY = { 'express-idempotency': 'express-idempotency', 'node-idempotency': '@node-idempotency/core' }
const SOAP = {
  'node-soap': 'node-soap',
  'strong-soap': 'strong-soap',
  'plain saxes': 'bare events of saxes, strings joined',
}
const LIMITERS = { 'express-rate-limit': 'express-rate-limit', 'rate-limiter-flexible': 'rate-limiter-flexible' }
const MEMORY_STORES = {
  'express-rate-limit': 'MemoryStore of express-rate-limit',
  'rate-limiter-flexible': 'rate-limiter-flexible',
}

// Names of packages, and `home` for the page of the site.
const quotes: Record<string, readonly Quote[]> = {
  home: [
    {
      label: 'Choose a format from 200 different `Accept` headers',
      from: ['accept.ts', 'Accept: 200 headers in turn', CPU],
      ours: NEGOTIATE,
      peers: { negotiator: 'negotiator' },
    },
    {
      label: 'Create a 404 and its JSON',
      from: ['errors.ts', 'create, record and JSON of a 404', CPU],
      ours: '@svc/errors',
      peers: { 'http-errors': 'http-errors' },
    },
    {
      label: 'Evaluate `If-None-Match` with one tag',
      from: ['conditional.ts', 'condition: one tag', CPU],
      ours: NEGOTIATE,
      peers: { fresh: 'fresh' },
    },
    {
      label: 'Create an ETag for 256 bytes',
      from: ['conditional.ts', 'tag of 0.25 KB', CPU],
      ours: '@svc/negotiate entityTag',
      peers: { etag: 'etag' },
    },
    {
      label: 'Create an ETag for 100 KB: SHA-256 instead of SHA-1',
      from: ['conditional.ts', 'tag of 100 KB', CPU],
      ours: '@svc/negotiate entityTag',
      peers: { etag: 'etag' },
    },
    {
      label: 'Render a HAL page of 20 items',
      from: ['hal.ts', 'a page of 20', CPU],
      ours: '@svc/hal',
      peers: { halson: 'halson' },
    },
    {
      label: 'Count a rate limit, 100,000 keys',
      from: ['ratelimit.ts', '100,000 keys', CPU],
      ours: '@svc/ratelimit, memoryStore()',
      peers: { 'express-rate-limit': MEMORY_STORES['express-rate-limit'] },
    },
    {
      label: 'Count a rate limit, one key: an exact limit instead of a counter',
      from: ['ratelimit.ts', '1 key', CPU],
      ours: '@svc/ratelimit, memoryStore()',
      peers: { 'express-rate-limit': MEMORY_STORES['express-rate-limit'] },
    },
    {
      label: 'Checks per second in Redis, one at a time: an exact limit instead of a counter',
      from: ['ratelimit-redis.ts', '1 in flight', 'operations/s'],
      ours: '@svc/ratelimit, ioredis',
      peers: { 'plain `EVALSHA`': 'a bare EVALSHA, ioredis' },
    },
    {
      label: 'Memory of a rate limit key',
      from: ['memory.ts', 'a rate limit with 1,000,000 IPv4 keys', 'a key'],
      ours: '@svc/ratelimit',
      peers: { 'express-rate-limit': 'express-rate-limit' },
    },
    {
      label: 'First request with an idempotency key',
      from: ['idempotency.ts', 'first request, 0 keys stored before', CPU],
      ours: '@svc/idempotency',
      peers: IDEMPOTENCY,
    },
  ],
  errors: [
    {
      label: 'create a 404, its record and its JSON',
      from: ['errors.ts', 'create, record and JSON of a 404', CPU],
      ours: '@svc/errors',
      peers: { 'http-errors': 'http-errors', '@hapi/boom': '@hapi/boom' },
    },
  ],
  hal: [
    {
      label: 'the bytes of one item, by `stringify`',
      from: ['hal.ts', 'one item', CPU],
      ours: '@svc/hal',
      peers: { halson: 'halson', hal: 'hal', 'no library': 'plain objects' },
    },
    {
      label: 'of a page of 20',
      from: ['hal.ts', 'a page of 20', CPU],
      ours: '@svc/hal',
      peers: { halson: 'halson', 'no library': 'plain objects' },
    },
  ],
  idempotency: [
    {
      label: 'a first request, 10,000 keys in memory',
      from: ['idempotency.ts', 'first request, 10,000 keys stored before', CPU],
      ours: '@svc/idempotency',
      peers: IDEMPOTENCY,
    },
    {
      label: 'a replay',
      from: ['idempotency.ts', 'replay, 1,000 keys stored', CPU],
      ours: '@svc/idempotency',
      peers: IDEMPOTENCY,
    },
  ],
  negotiate: [
    {
      label: '`Accept` of Chrome, seen before',
      from: ['accept.ts', 'Accept: Chrome', CPU],
      ours: NEGOTIATE,
      peers: { negotiator: 'negotiator', '@hapi/accept': '@hapi/accept' },
    },
    {
      label: 'an `Accept` of three ranges, never seen',
      from: ['accept.ts', 'Accept: every header new', CPU],
      ours: NEGOTIATE,
      peers: { negotiator: 'negotiator', '@hapi/accept': '@hapi/accept' },
    },
    {
      label: '`Accept` of 16 KB: ignored here',
      from: ['accept.ts', 'Accept: 16 KB of ranges', CPU],
      ours: NEGOTIATE,
      peers: { negotiator: 'negotiator' },
    },
    {
      label: 'tag of 10 KB',
      from: ['conditional.ts', 'tag of 10 KB', CPU],
      ours: '@svc/negotiate entityTag',
      peers: { etag: 'etag' },
    },
    {
      label: '`If-None-Match` of 16 KB',
      from: ['conditional.ts', 'condition: 16 KB of If-None-Match', CPU],
      ours: NEGOTIATE,
      peers: { fresh: 'fresh' },
    },
    {
      label: 'page of 3.9 KB with gzip, tag and conditions, never sent before',
      from: ['compression.ts', 'gzip, a page of 3.9 KB, never sent before', CPU],
      ours: 'negotiate() with tag and conditions',
      peers: { 'compression only': 'compression' },
    },
  ],
  ratelimit: [
    {
      label: 'one of 1,000,000 keys in memory',
      from: ['ratelimit.ts', '1,000,000 keys', CPU],
      ours: '@svc/ratelimit, memoryStore()',
      peers: MEMORY_STORES,
    },
    {
      label: 'memory of each of them',
      from: ['memory.ts', 'a rate limit with 1,000,000 IPv4 keys', 'a key'],
      ours: '@svc/ratelimit',
      peers: LIMITERS,
    },
    {
      label: 'the costliest 200 of their insertions',
      from: ['memory.ts', 'a rate limit with 1,000,000 IPv4 keys', 'worst 200 insertions'],
      ours: '@svc/ratelimit',
      peers: LIMITERS,
    },
  ],
  'soap-envelope': ['parse', 'write'].flatMap((step) =>
    ['0.5 KB', '20 KB', '1 MB'].map((size) => ({
      label: `${step === 'parse' ? 'read' : 'write'} ${size} of customers`,
      from: ['soap.ts', `${step} ${size}`, CPU] as Quote['from'],
      ours: '@svc/soap-envelope',
      peers: SOAP,
    })),
  ),
  versioning: [
    {
      label: 'one of three versions and its handler',
      from: ['versioning.ts', 'Accept-Version, three versions, handler of a route', CPU],
      ours: '@svc/versioning, choice and route only',
      peers: { 'express-version-route': 'express-version-route' },
    },
  ],
}

const MARKED = /(<!-- measured -->\n)[\s\S]*?(<!-- \/measured -->)/

/** The packages that quote measurements in their README or docs, and `home`. */
export const quotingPackages = Object.keys(quotes)

/**
 * Returns the one document of a package that has the markers, or the home page. Throws if none has.
 */
export function quotingDocument(
  name: string,
  list: (folder: string) => readonly string[],
  read: (file: string) => string,
): string {
  const folder = name === 'home' ? 'apps/docs' : `packages/${name}`
  const documents = name === 'home' ? ['index.md'] : list(folder)
  const file = documents.map((document) => `${folder}/${document}`).find((document) => MARKED.test(read(document)))
  if (file === undefined) throw new Error(`no document of ${name} has lines <!-- measured --> and <!-- /measured -->`)
  return file
}

/**
 * Returns the document with the results between its markers. Throws if the results lack a figure.
 */
export function quoted(readme: string, name: string, results: Results): string {
  const list = quotes[name] ?? []
  const lines = list.map((quote) => quoteLine(quote, results))
  const suites = results.suites.filter(({ file }) => list.some(({ from }) => from[0] === file))
  const dates = suites.map(({ date }) => date).sort()
  const date = [...new Set([dates[0], dates.at(-1)])].join(' to ')
  const versions = [...new Set(suites.map(({ node }) => node.replace(/^v(\d+).*/, '$1')))].sort().join(' and ')
  const head = `| [Measured](https://github.com/svc-js/svc/tree/main/apps/benchmarks/results) ${date}, CPU, Node ${versions} | here | |`
  return readme.replace(
    MARKED,
    (_all, open, close) => `${open}${[head, '|---|--:|---|', ...lines].join('\n')}\n${close}`,
  )
}

function quoteLine({ label, from, ours, peers }: Quote, results: Results): string {
  const others = Object.entries(peers).map(([name, row]) => `${name} ${readFigure(results, from, row)}`)
  return `| ${label} | ${readFigure(results, from, ours)} | ${others.join(', ')} |`
}

function readFigure({ suites }: Results, [file, name, column]: Quote['from'], row: string): string {
  const table = suites.find((suite) => suite.file === file)?.tables.find((each) => each.table === name)
  const index = table?.columns.findIndex((each) => each.name === column) ?? -1
  const figure = table?.rows.find((each) => each.name === row)?.figures[index]
  const unit = table?.columns[index]?.unit
  if (figure === undefined || unit === undefined) throw new Error(`no results of ${file}, ${name}, ${row}, ${column}`)
  return written(figure, unit)
}
