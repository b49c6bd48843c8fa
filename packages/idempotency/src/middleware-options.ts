import { hash } from 'node:crypto'
import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import {
  assertInteger,
  assertKnownOptions,
  assertOneOf,
  assertTypes,
  assertWordOrFunction,
  createArgumentError,
  inspectValue,
  type OptionTypes,
} from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import { createDefaultUser } from './default-user.ts'
import { ENGINE_OPTIONS, type EngineOptions, MAX_TIMER_MS, type OnStoreError } from './options.ts'
import { isStorableHeader, type PickHeaders, pickHeaders } from './stored-headers.ts'
import { createWarn, type Warn, warnHookFailed } from './warnings.ts'

/** Options for `idempotency()`: requests with keys, their users, and stored responses. */
export interface IdempotencyOptions<Req = IncomingMessage, OnRefusedBy = OnRefused>
  extends Omit<EngineOptions, 'onStoreError'> {
  /** Whether a request without a key gets 400. @defaultValue false */
  required?: boolean
  /**
   * Methods that support keys; requests with other methods continue. @defaultValue ['POST',
   * 'PATCH']
   */
  methods?: readonly string[]
  /**
   * Returns the user who owns the key: a stable name, even if tokens are renewed between retries.
   * Called for each request with a key; `undefined` rejects the request. @defaultValue a hash of
   * Authorization; all other requests share one user
   */
  user?: (req: Req) => MaybePromise<string | undefined>
  /** Returns the API version of a request if its path does not contain it. @defaultValue none */
  version?: (req: Req) => string | undefined
  /**
   * Returns a string that is equal for equal requests. Called with the bytes of the body as sent,
   * or with a string for what a body parser left. @defaultValue method, path, query, media type,
   * version and decompressed body, see `createFingerprint`
   */
  fingerprint?: (req: Req, body: Uint8Array | string) => MaybePromise<string>
  /** Name of the request header. @defaultValue 'Idempotency-Key' */
  header?: string
  /**
   * Whether to reject keys that are not structured-field strings, such as `8e03` without quotes.
   * @defaultValue false
   */
  strict?: boolean
  /** Name of the response header that marks a replay. @defaultValue 'Idempotent-Replayed' */
  replayedHeader?: string
  /**
   * Whether a duplicate waits for the first response: if it sends `Prefer: wait`, always, or never.
   * @defaultValue 'prefer'
   */
  wait?: 'prefer' | 'always' | 'never'
  /** Maximum time that a duplicate waits, in milliseconds. @defaultValue 10000 */
  maxWaitMs?: number
  /**
   * Whether to store a response, by status; called when it is complete. `undefined` leaves it to
   * the default, and so does an error.
   * @defaultValue `isStorable`: all except rejections before the work (400, 401, 403, 404, 412 …)
   * and "not now" (408, 425, 429, 503)
   */
  shouldStore?: (status: number) => boolean | undefined
  /**
   * Response headers to store, or `'all'` except those of the connection and the time, in addition
   * to Content-Type, -Language, -Location, -Disposition, Location, ETag, Last-Modified, Link,
   * Cache-Control, CDN-Cache-Control, Expires, Vary, Deprecation, Sunset, API-Version and
   * X-Content-Type-Options.
   * @defaultValue []
   */
  storedHeaders?: readonly string[] | 'all'
  /**
   * Maximum size of a request body in bytes; a larger one gets 413. @defaultValue 1048576 (1 MiB)
   */
  maxBodyBytes?: number
  /**
   * Maximum size of a stored response body in bytes. A larger one is sent but not stored: a retry
   * gets 409. @defaultValue 1048576 (1 MiB)
   */
  maxResponseBytes?: number
  /**
   * Policy if the store fails: respond with 503 (`'reject'`), run the work unprotected (`'allow'`),
   * or keep keys in this process (`'local'`). A function decides for each request.
   * @defaultValue 'reject' if a key is required or with `transaction`, otherwise 'allow'
   */
  onStoreError?: OnStoreError | ((req: Req) => OnStoreError)
  /**
   * URL or path of a page that explains keys to clients: `Link` with `rel="describedby"` on a
   * missing key.
   * @defaultValue none
   */
  docsUrl?: string
  /**
   * Response to a rejected request: `'next'`, `'json'`, or a function. @defaultValue 'next' with an
   * error handler, otherwise 'json'
   */
  onRefused?: OnRefusedBy
}

export interface Settings<Req, OnRefusedBy = OnRefused> {
  engine: EngineOptions
  required: boolean
  methods: ReadonlySet<string>
  user: NonNullable<IdempotencyOptions<Req>['user']>
  version: IdempotencyOptions<Req>['version']
  fingerprint: IdempotencyOptions<Req>['fingerprint']
  /** Name of the request header, as the developer writes it. */
  header: string
  /** The same as node:http names it. */
  headerName: string
  strict: boolean
  replayedHeader: string
  wait: 'prefer' | 'always' | 'never'
  maxWaitMs: number
  shouldStore: (status: number) => boolean | undefined
  pick: PickHeaders
  maxBodyBytes: number
  maxResponseBytes: number
  onStoreError: OnStoreError | ((req: Req) => OnStoreError)
  docsUrl: string | undefined
  onRefused: OnRefusedBy | undefined
}

const OWN_OPTIONS = [
  'required',
  'methods',
  'user',
  'version',
  'fingerprint',
  'header',
  'strict',
  'replayedHeader',
  'wait',
  'maxWaitMs',
  'shouldStore',
  'storedHeaders',
  'maxBodyBytes',
  'maxResponseBytes',
  'onStoreError',
  'docsUrl',
  'onRefused',
] as const

/** Names of the same options in other libraries. */
const PEER_NAMES: Readonly<Record<string, keyof IdempotencyOptions>> = {
  scope: 'user',
  principal: 'user',
  cacheKeyPrefix: 'user',
  idempotencyKeyHeader: 'header',
  enforceIdempotency: 'required',
  cacheTTLMS: 'ttlSeconds',
  inProgressStrategy: 'wait',
  dataAdapter: 'store',
  storage: 'store',
  responseValidator: 'shouldStore',
  intentValidator: 'fingerprint',
}

const TYPES: OptionTypes = {
  required: 'boolean',
  strict: 'boolean',
  methods: 'strings',
  user: 'function',
  version: 'function',
  fingerprint: 'function',
  shouldStore: 'function',
  docsUrl: 'string',
}

const MIB = 1024 * 1024

/**
 * Checks the options of `idempotency()`. Throws a `TypeError` that names the option and its value.
 */
export function resolveSettings<Req extends object, OnRefusedBy>(
  options: IdempotencyOptions<Req, OnRefusedBy>,
  onRefusedWords: readonly string[],
): Settings<Req, OnRefusedBy> {
  assertKnownOptions('idempotency', options, [...OWN_OPTIONS, ...ENGINE_OPTIONS], PEER_NAMES)
  const { required = false, strict = false, wait = 'prefer', storedHeaders = [] } = options
  const { header = 'Idempotency-Key', replayedHeader = 'Idempotent-Replayed', methods = ['POST', 'PATCH'] } = options
  const { maxWaitMs = 10_000, maxBodyBytes = MIB, maxResponseBytes = MIB } = options
  const warn = createWarn(options.warnings)
  const { onStoreError = required || options.transaction ? 'reject' : 'allow', user = createDefaultUser(warn) } =
    options
  assertInteger('idempotency', 'maxWaitMs', maxWaitMs, { min: 1, max: MAX_TIMER_MS })
  for (const [name, value] of Object.entries({ maxBodyBytes, maxResponseBytes }))
    assertInteger('idempotency', name, value, { min: 1 })
  assertTypes('idempotency', options, TYPES)
  assertOneOf('idempotency', 'wait', wait, ['prefer', 'always', 'never'])
  assertWordOrFunction('idempotency', 'onStoreError', onStoreError, ['allow', 'reject', 'local'])
  assertWordOrFunction('idempotency', 'onRefused', options.onRefused, onRefusedWords)
  for (const [name, value] of Object.entries({ header, replayedHeader })) {
    if (typeof value !== 'string' || !/^[!#$%&'*+.^`|~\w-]+$/.test(value))
      throw createArgumentError('idempotency', name, 'the name of a header', value)
  }
  if (storedHeaders !== 'all') assertStorable(storedHeaders)
  return {
    engine: pickEngineOptions(options),
    required,
    methods: new Set(methods.map((method) => method.toUpperCase())),
    user,
    version: options.version,
    fingerprint: options.fingerprint && hashed(options.fingerprint),
    header,
    headerName: header.toLowerCase(),
    strict,
    replayedHeader,
    wait,
    maxWaitMs,
    shouldStore: guardShouldStore(options.shouldStore, warn),
    pick: pickHeaders(storedHeaders),
    maxBodyBytes,
    maxResponseBytes,
    onStoreError,
    docsUrl: options.docsUrl === undefined ? undefined : formatDocsUrl(options.docsUrl),
    onRefused: options.onRefused,
  }
}

/** The text may be private, or one that a store rejects. Without it all requests would be equal. */
function hashed<Req, Body>(fingerprint: (req: Req, body: Body) => MaybePromise<unknown>) {
  return (req: Req, body: Body): MaybePromise<string> =>
    chain(fingerprint(req, body), (text) => {
      if (typeof text === 'string') return hash('sha256', text)
      throw new TypeError(`idempotency: fingerprint must return a string, got ${inspectValue(text)}`)
    })
}

// The work is done when it is called: if it fails the default decides, since an error here would
// release the key, and a retry would run the work again.
function guardShouldStore(
  shouldStore: IdempotencyOptions['shouldStore'],
  warn: Warn,
): (status: number) => boolean | undefined {
  return (status) => {
    let decision: boolean | undefined
    if (!shouldStore) return decision
    callSafely(
      () => shouldStore(status),
      (result) => void (decision = result),
      (error) => warnHookFailed(warn, 'shouldStore', error, 'The default decides.'),
    )
    return decision
  }
}

// Percent-encoded, so that a header can carry it and nothing in it ends the link.
function formatDocsUrl(docsUrl: string): string {
  const origin = docsUrl.startsWith('/') ? 'http://localhost' : ''
  if (!URL.canParse(origin + docsUrl)) throw createArgumentError('idempotency', 'docsUrl', 'a URL or a path', docsUrl)
  return new URL(origin + docsUrl).href.slice(origin.length)
}

function pickEngineOptions<Req, OnRefusedBy>(options: IdempotencyOptions<Req, OnRefusedBy>): EngineOptions {
  const { onStoreError: _, ...rest } = options
  const entries = Object.entries(rest).filter(
    ([name, value]) => (ENGINE_OPTIONS as readonly string[]).includes(name) && value !== undefined,
  )
  return Object.fromEntries(entries)
}

function assertStorable(headers: readonly string[]): void {
  assertTypes('idempotency', { storedHeaders: headers }, { storedHeaders: 'strings' })
  const forbidden = headers.find((name) => !isStorableHeader(name))
  if (forbidden === undefined) return
  throw new TypeError(
    `idempotency: storedHeaders must not contain ${inspectValue(forbidden)}: it belongs to one response only`,
  )
}
