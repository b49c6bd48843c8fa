import { written } from './figure.ts'
import type { Results } from './report.ts'

/** A row of what a README says of its package: ours, and the same of peers. */
interface Quote {
  label: string
  /** Suite, table and column of the figures. */
  from: [file: string, table: string, column: string]
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
  'bare saxes': 'bare events of saxes, strings joined',
}
const LIMITERS = { 'express-rate-limit': 'express-rate-limit', 'rate-limiter-flexible': 'rate-limiter-flexible' }
const MEMORY_STORES = {
  'express-rate-limit': 'MemoryStore of express-rate-limit',
  'rate-limiter-flexible': 'rate-limiter-flexible',
}

const quotes: Record<string, readonly Quote[]> = {
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

/** The packages that quote measurements in their README or docs. */
export const quotingPackages = Object.keys(quotes)

/** Returns the one document of a package that has the markers. Throws if none has. */
export function quotingDocument(name: string, documents: readonly string[], read: (file: string) => string): string {
  const file = documents.find((document) => MARKED.test(read(document)))
  if (file === undefined) throw new Error(`no document of ${name} has lines <!-- measured --> and <!-- /measured -->`)
  return file
}

/**
 * Returns the document with the results between its markers. Throws if the results lack a figure.
 */
export function quoted(readme: string, name: string, results: Results): string {
  const lines = (quotes[name] ?? []).map((quote) => quoteLine(quote, results))
  const [file] = quotes[name]?.[0]?.from ?? []
  const { date, node = '' } = results.suites.find((suite) => suite.file === file) ?? {}
  const version = node.replace(/\..*/, '').replace('v', 'Node ')
  const head = `| [Measured](https://github.com/svc-js/svc/tree/main/apps/benchmarks/results) ${date}, CPU, ${version} | here | |`
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
