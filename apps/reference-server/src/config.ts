import type { RateText } from '@svc/ratelimit'
import * as read from './config-values.ts'
import { apiVersions } from './domain/versions.ts'
import type { Deprecation } from './engine/versions.ts'
import { findNearName } from './messages/near-name.ts'

/** The receiver of webhooks. */
export interface Webhook {
  url: string
  secret: Buffer
}

export interface Config {
  host: string
  port: number
  adminPort: number
  dataDir: string | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** `undefined`: off. */
  rateLimit: RateText | undefined
  rateLimitAnonymous: RateText | undefined
  maintenance: boolean
  /** Of the first user of a database that has none. */
  adminPassword: string | undefined
  /** Paths that are elsewhere now, with everything below them. */
  moved: ReadonlyMap<string, string>
  /** API versions that are announced as deprecated. */
  deprecatedVersions: ReadonlyMap<string, Deprecation>
  /** `''`: links are paths. */
  publicUrl: string
  trustProxy: readonly string[]
  tls: { cert: string; key: string } | 'self' | undefined
  jwtIssuer: string | undefined
  jwtAudience: string
  jwks: string | undefined
  signingKey: string | undefined
  logFile: string | undefined
  logFormat: 'json' | 'pretty'
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  webhook: Webhook | undefined
  demo: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Every problem of the configuration at once. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    const heading = `Configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}`
    super([heading, ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
}

const OWN = [
  'SVC_DATA_DIR',
  'SVC_RATE_LIMIT',
  'SVC_RATE_LIMIT_ANONYMOUS',
  'SVC_MAINTENANCE',
  'SVC_MOVED',
  'SVC_DEPRECATED_VERSIONS',
  'SVC_ADMIN_PORT',
  'SVC_ADMIN_PASSWORD',
  'SVC_ADMIN_PASSWORD_FILE',
  'SVC_PUBLIC_URL',
  'SVC_TRUST_PROXY',
  'SVC_TLS',
  'SVC_TLS_CERT',
  'SVC_TLS_KEY',
  'SVC_JWT_ISSUER',
  'SVC_JWT_AUDIENCE',
  'SVC_JWKS',
  'SVC_SIGNING_KEY',
  'SVC_WEBHOOK_URL',
  'SVC_WEBHOOK_SECRET',
  'SVC_LOG_FILE',
  'SVC_DEMO',
]
// Names that the tests of this repository use.
const OTHERS = /^SVC_(?:TEST_|DIST$)/

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Reads the environment. Throws a ConfigError that names everything that is wrong with it. */
export function readConfig(env: Environment, isTerminal = false): Config {
  const problems = Object.keys(env).flatMap(unknownName)
  const get = <T>(name: string, parse: (text: string) => T, fallback: T): T => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${name}  ${shownValue(name, text)}  ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }
  const port = get('PORT', read.port, 3000)
  const databaseUrl = get<string | undefined>('DATABASE_URL', read.url('postgres', 'postgresql'), undefined)
  const config: Config = {
    host: get('HOST', read.host, '127.0.0.1'),
    port,
    adminPort: get('SVC_ADMIN_PORT', read.port, port === 0 ? 0 : port + 1),
    dataDir: get<string | undefined>('SVC_DATA_DIR', read.text, undefined),
    databaseUrl,
    redisUrl: get<string | undefined>('REDIS_URL', read.url('redis', 'rediss'), undefined),
    rateLimit: get<RateText | undefined>('SVC_RATE_LIMIT', read.rate, '600/1m'),
    rateLimitAnonymous: get<RateText | undefined>('SVC_RATE_LIMIT_ANONYMOUS', read.rate, '60/1m'),
    maintenance: get('SVC_MAINTENANCE', read.toggle, false),
    adminPassword: readAdminPassword(env, get, problems),
    moved: get('SVC_MOVED', read.moves, new Map()),
    deprecatedVersions: get<Config['deprecatedVersions']>(
      'SVC_DEPRECATED_VERSIONS',
      read.deprecations(apiVersions.map(({ name }) => name)),
      new Map(),
    ),
    publicUrl: get('SVC_PUBLIC_URL', read.publicUrl, ''),
    trustProxy: get('SVC_TRUST_PROXY', read.networks, [] as readonly string[]),
    tls: readTls(env, get, problems),
    jwtIssuer: get<string | undefined>('SVC_JWT_ISSUER', read.text, undefined),
    jwtAudience: get('SVC_JWT_AUDIENCE', read.text, 'svc-reference-server'),
    jwks: get<string | undefined>('SVC_JWKS', read.jwks, undefined),
    signingKey: get<string | undefined>('SVC_SIGNING_KEY', read.privateJwk, undefined),
    logFile: get<string | undefined>('SVC_LOG_FILE', read.text, undefined),
    logFormat: get('LOG_FORMAT', read.oneOf('json', 'pretty'), isTerminal ? 'pretty' : 'json'),
    logLevel: get('LOG_LEVEL', read.oneOf(...LOG_LEVELS), 'info'),
    webhook: readWebhook(env, get, problems),
    demo: get('SVC_DEMO', read.toggle, databaseUrl === undefined),
  }
  if (databaseUrl !== undefined && config.dataDir !== undefined)
    problems.push('SVC_DATA_DIR  is for the embedded database, and DATABASE_URL names another one: keep one of them')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

type Get = <T>(name: string, parse: (text: string) => T, fallback: T) => T

function readAdminPassword(env: Environment, get: Get, problems: string[]): string | undefined {
  if (env['SVC_ADMIN_PASSWORD'] && env['SVC_ADMIN_PASSWORD_FILE'])
    problems.push('SVC_ADMIN_PASSWORD, SVC_ADMIN_PASSWORD_FILE  keep one of them')
  const inFile = get<string | undefined>('SVC_ADMIN_PASSWORD_FILE', read.passwordFile, undefined)
  return get<string | undefined>('SVC_ADMIN_PASSWORD', read.password, inFile)
}

function readTls(env: Environment, get: Get, problems: string[]): Config['tls'] {
  const cert = get<string | undefined>('SVC_TLS_CERT', read.file, undefined)
  const key = get<string | undefined>('SVC_TLS_KEY', read.file, undefined)
  const self = get<'self' | undefined>('SVC_TLS', read.oneOf('self'), undefined)
  if (Boolean(env['SVC_TLS_CERT']) !== Boolean(env['SVC_TLS_KEY']))
    problems.push('SVC_TLS_CERT, SVC_TLS_KEY  one of them is missing')
  return cert !== undefined && key !== undefined ? { cert, key } : self
}

function readWebhook(env: Environment, get: Get, problems: string[]): Webhook | undefined {
  const url = get<string | undefined>('SVC_WEBHOOK_URL', read.receiver, undefined)
  const secret = get<Buffer | undefined>('SVC_WEBHOOK_SECRET', read.signingSecret, undefined)
  if (Boolean(env['SVC_WEBHOOK_URL']) !== Boolean(env['SVC_WEBHOOK_SECRET']))
    problems.push('SVC_WEBHOOK_URL, SVC_WEBHOOK_SECRET  one of them is missing')
  return url !== undefined && secret !== undefined ? { url, secret } : undefined
}

function unknownName(name: string): string[] {
  if (!name.startsWith('SVC_') || OWN.includes(name) || OTHERS.test(name)) return []
  const near = findNearName(name, OWN)
  return [`${name}  unknown, ${near === undefined ? `known are ${OWN.join(', ')}` : `did you mean ${near}?`}`]
}

const SECRETS = ['SVC_ADMIN_PASSWORD', 'SVC_SIGNING_KEY', 'SVC_WEBHOOK_SECRET', 'DATABASE_URL', 'REDIS_URL']

function shownValue(name: string, text: string): string {
  return SECRETS.includes(name) ? `(set, ${text.length} characters)` : JSON.stringify(text)
}
