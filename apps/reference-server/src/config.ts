import * as read from './config-values.ts'
import { apiVersions } from './domain/versions.ts'
import type { Deprecation } from './engine/versions.ts'
import { findNearName } from './messages/near-name.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Config = ReturnType<typeof parseEnvironment>

export type Webhook = NonNullable<Config['webhook']>

/** Every problem of the configuration at once. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    const heading = `Configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}`
    super([heading, ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
}

/** Reads the environment. Throws a `ConfigError` with everything that is wrong with it. */
export function readConfig(env: Environment, isTerminal = false): Config {
  const names: string[] = []
  const problems: string[] = []
  const get: Reader['get'] = (name, parse, fallback) => {
    names.push(name)
    const text = env[name]
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      // A URL may contain a password.
      const isSecret = SECRETS.includes(name) || text.includes('@')
      const shown = isSecret ? `(set, ${text.length} characters)` : JSON.stringify(text)
      problems.push(`${name}  ${shown}  ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }
  const find = <T>(name: string, parse: (text: string) => T) => get<T | undefined>(name, parse, undefined)
  const config = parseEnvironment({ get, find }, isTerminal)
  for (const [first, second] of PAIRS)
    if (Boolean(env[first]) !== Boolean(env[second])) problems.push(`${first}, ${second}  one of them is missing`)
  if (env['SVC_ADMIN_PASSWORD'] && env['SVC_ADMIN_PASSWORD_FILE'])
    problems.push('SVC_ADMIN_PASSWORD, SVC_ADMIN_PASSWORD_FILE  keep one of them')
  if (config.adminPort > MAX_PORT) problems.push(`SVC_ADMIN_PORT  must be set, since PORT is ${MAX_PORT}`)
  if (config.databaseUrl !== undefined && config.dataDir !== undefined)
    problems.push('SVC_DATA_DIR  is for the embedded database, and DATABASE_URL names another one: keep one of them')
  const supported = names.filter((name) => name.startsWith('SVC_'))
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !supported.includes(name) && !TEST_NAMES.test(name))
    .map((name) => {
      const near = findNearName(name, supported)
      return `${name}  unknown${near === undefined ? `; supported: ${supported.join(', ')}` : `, did you mean ${near}?`}`
    })
  if (unknown.length + problems.length > 0) throw new ConfigError([...unknown, ...problems])
  return config
}

const MAX_PORT = 65_535

const PAIRS = [
  ['SVC_TLS_CERT', 'SVC_TLS_KEY'],
  ['SVC_WEBHOOK_URL', 'SVC_WEBHOOK_SECRET'],
] as const

const SECRETS = [
  'SVC_ADMIN_PASSWORD',
  'SVC_SIGNING_KEY',
  'SVC_WEBHOOK_URL',
  'SVC_WEBHOOK_SECRET',
  'DATABASE_URL',
  'REDIS_URL',
]

// Names that the tests of this repository use.
const TEST_NAMES = /^SVC_(?:TEST_|DIST$)/

interface Reader {
  get<T>(name: string, parse: (text: string) => T, fallback: NoInfer<T>): T
  /** `undefined` without a value. */
  find<T>(name: string, parse: (text: string) => T): T | undefined
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

// Every setting: its variable, the reader of its text, and its default.
function parseEnvironment({ find, get }: Reader, isTerminal: boolean) {
  const port = get('PORT', read.port, 3000)
  const databaseUrl = find('DATABASE_URL', read.url('postgres', 'postgresql'))
  const [cert, key] = [find('SVC_TLS_CERT', read.file), find('SVC_TLS_KEY', read.file)]
  const selfSigned = find('SVC_TLS', read.word('self'))
  const [url, secret] = [find('SVC_WEBHOOK_URL', read.receiver), find('SVC_WEBHOOK_SECRET', read.signingSecret)]
  const passwordInFile = find('SVC_ADMIN_PASSWORD_FILE', read.passwordFile)
  return {
    host: get('HOST', read.host, '127.0.0.1'),
    port,
    adminPort: get('SVC_ADMIN_PORT', read.port, port === 0 ? 0 : port + 1),
    dataDir: find('SVC_DATA_DIR', read.text),
    databaseUrl,
    redisUrl: find('REDIS_URL', read.url('redis', 'rediss')),
    /** `undefined`: off. */
    rateLimit: get('SVC_RATE_LIMIT', read.rate, '600/1m'),
    rateLimitAnonymous: get('SVC_RATE_LIMIT_ANONYMOUS', read.rate, '60/1m'),
    maintenance: get('SVC_MAINTENANCE', read.toggle, false),
    /** Password of the first user of a database that has none. */
    adminPassword: find('SVC_ADMIN_PASSWORD', read.password) ?? passwordInFile,
    /** New paths by the old ones, which are redirected with everything below them. */
    moved: get<ReadonlyMap<string, string>>('SVC_MOVED', read.moves, new Map()),
    /** API versions that are announced as deprecated. */
    deprecatedVersions: get<ReadonlyMap<string, Deprecation>>(
      'SVC_DEPRECATED_VERSIONS',
      read.deprecations(apiVersions.map(({ name }) => name)),
      new Map(),
    ),
    /** `''`: links are paths. */
    publicUrl: get('SVC_PUBLIC_URL', read.publicUrl, ''),
    trustProxy: get<readonly string[]>('SVC_TRUST_PROXY', read.networks, []),
    tls: cert !== undefined && key !== undefined ? { cert, key } : selfSigned,
    jwtIssuer: find('SVC_JWT_ISSUER', read.text),
    jwtAudience: get('SVC_JWT_AUDIENCE', read.text, 'svc-reference-server'),
    jwks: find('SVC_JWKS', read.jwks),
    signingKey: find('SVC_SIGNING_KEY', read.privateJwk),
    logFile: find('SVC_LOG_FILE', read.text),
    logFormat: get('LOG_FORMAT', read.word('json', 'pretty'), isTerminal ? 'pretty' : 'json'),
    logLevel: get('LOG_LEVEL', read.word(...LOG_LEVELS), 'info'),
    webhook: url !== undefined && secret !== undefined ? { url, secret } : undefined,
    demo: get('SVC_DEMO', read.toggle, databaseUrl === undefined),
  }
}
