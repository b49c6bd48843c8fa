import type { IncomingMessage } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { Awaitable } from './chain.ts'
import { type FieldPicker, mayBeStored, pickFields } from './fields.ts'
import { ENGINE_OPTIONS, type EngineOptions, requireOneOf, requirePositive } from './options.ts'
import { scopeOf } from './scope.ts'

/** What `idempotent` takes: which requests need a key, whose it is, and what is kept of the answer. */
export interface IdempotentOptions extends EngineOptions {
  /** Whether a request without a key gets 400. @defaultValue false */
  required?: boolean
  /** Methods that are looked at; others pass. @defaultValue ['POST', 'PATCH'] */
  methods?: readonly string[]
  /**
   * Whose key it is: called for each request with a key. Name the subject where tokens are renewed between retries.
   * `undefined` refuses the request. @defaultValue a hash of Authorization; one scope for requests without credentials
   */
  scope?: (req: IncomingMessage) => Awaitable<string | undefined>
  /** The version of the interface that a request is meant for, where its path does not tell. @defaultValue none */
  version?: (req: IncomingMessage) => string | undefined
  /**
   * What makes two requests the same, as one text; gets the body's bytes, or the text of what a parser left of it.
   * @defaultValue method, path, query, media type, version and body, see `fingerprintOf`
   */
  fingerprint?: (req: IncomingMessage, body: Uint8Array | string) => Awaitable<string>
  /** The request field. @defaultValue 'Idempotency-Key' */
  header?: string
  /** Which spellings of a key are taken: as a structured-field string alone, or bare too. @defaultValue 'bare' */
  syntax?: 'bare' | 'strict'
  /** The field that marks a replay. @defaultValue 'Idempotent-Replayed' */
  replayedHeader?: string
  /**
   * Whether a duplicate waits for the answer of the first: where it says `Prefer: wait`, always, or never.
   * @defaultValue 'prefer'
   */
  wait?: 'prefer' | 'always' | 'never'
  /** How long a duplicate waits at most, in seconds. @defaultValue 10 */
  maxWaitSeconds?: number
  /**
   * Whether an answer with this status is kept; called when it is ready, `undefined` leaves it to the default.
   * @defaultValue isKept: all but refusals before the work (400, 401, 403, 404, 412 …) and "not now" (408, 425, 429,
   * 503)
   */
  keep?: (status: number) => boolean | undefined
  /**
   * Response fields to keep, or `'all'` but those of the connection and the moment, beside Content-Type, -Language,
   * -Location, -Disposition, Location, ETag, Last-Modified, Link, Cache-Control, CDN-Cache-Control, Expires, Vary,
   * Deprecation, Sunset and API-Version.
   * @defaultValue []
   */
  fields?: readonly string[] | 'all'
  /** Bytes of a request's body; a larger one gets 413. @defaultValue 1048576 */
  maxBodyBytes?: number
  /** Bytes of an answer's body; a larger one goes out, and is not kept: a retry gets 409. @defaultValue 1048576 */
  maxResponseBytes?: number
  /**
   * What happens when the store does not answer: 503, or the work runs unprotected. @defaultValue 'refuse' where a key
   * is required, else 'run'
   */
  onStoreDown?: 'refuse' | 'run'
  /**
   * URL of a page that tells clients how keys work here: `Link` with `rel="describedby"` on a missing key.
   * @defaultValue none
   */
  help?: string
  /** Who answers a refusal. @defaultValue the app's error handling where there is one, else a JSON Error record */
  onRefused?: OnRefused
}

export interface Settings {
  engine: EngineOptions
  required: boolean
  methods: ReadonlySet<string>
  scope: NonNullable<IdempotentOptions['scope']>
  version: IdempotentOptions['version']
  fingerprint: IdempotentOptions['fingerprint']
  header: string
  /** The request field as node:http names it. */
  field: string
  strict: boolean
  replayedHeader: string
  wait: 'prefer' | 'always' | 'never'
  maxWaitSeconds: number
  keep: (status: number) => boolean | undefined
  pick: FieldPicker
  maxBodyBytes: number
  maxResponseBytes: number
  onStoreDown: 'refuse' | 'run'
  help: string | undefined
  onRefused: OnRefused | undefined
}

const OWN_OPTIONS = [
  'required',
  'methods',
  'scope',
  'version',
  'fingerprint',
  'header',
  'syntax',
  'replayedHeader',
  'wait',
  'maxWaitSeconds',
  'keep',
  'fields',
  'maxBodyBytes',
  'maxResponseBytes',
  'onStoreDown',
  'help',
  'onRefused',
] as const

const MIB = 1024 * 1024

/** Reads the options of `idempotent`. Throws a TypeError that names the option and its value. */
export function readOptions(options: IdempotentOptions): Settings {
  assertKnownOptions('idempotent', options, [...OWN_OPTIONS, ...ENGINE_OPTIONS])
  const { required = false, methods = ['POST', 'PATCH'], header = 'Idempotency-Key', fields = [] } = options
  const { syntax = 'bare', wait = 'prefer', onStoreDown = required ? 'refuse' : 'run' } = options
  const { maxWaitSeconds = 10, maxBodyBytes = MIB, maxResponseBytes = MIB } = options
  const { replayedHeader = 'Idempotent-Replayed', scope = scopeOf, keep = () => undefined } = options
  for (const [name, value] of Object.entries({ maxWaitSeconds, maxBodyBytes, maxResponseBytes }))
    requirePositive('idempotent', name, value)
  requireOneOf('idempotent', 'required', required, [true, false])
  requireOneOf('idempotent', 'syntax', syntax, ['bare', 'strict'])
  requireOneOf('idempotent', 'wait', wait, ['prefer', 'always', 'never'])
  requireOneOf('idempotent', 'onStoreDown', onStoreDown, ['refuse', 'run'])
  for (const name of [header, replayedHeader]) requireFieldName(name)
  if (!Array.isArray(methods)) throw new TypeError(`idempotent: methods must be an array, got ${inspectValue(methods)}`)
  requireFunctions(options)
  requireFields(fields)
  return {
    engine: pickEngine(options),
    required,
    methods: new Set(methods.map((method) => method.toUpperCase())),
    scope,
    version: options.version,
    fingerprint: options.fingerprint,
    header,
    field: header.toLowerCase(),
    strict: syntax === 'strict',
    replayedHeader,
    wait,
    maxWaitSeconds,
    keep,
    pick: pickFields(fields),
    maxBodyBytes,
    maxResponseBytes,
    onStoreDown,
    help: options.help,
    onRefused: options.onRefused,
  }
}

function pickEngine(options: IdempotentOptions): EngineOptions {
  const entries = ENGINE_OPTIONS.map((name) => [name, options[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function requireFieldName(name: unknown): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^`|~\w-]+$/.test(name)) return
  throw new TypeError(`idempotent: header must be the name of a field, got ${inspectValue(name)}`)
}

function requireFunctions(options: IdempotentOptions): void {
  for (const name of ['scope', 'version', 'fingerprint', 'keep'] as const) {
    const value = options[name]
    if (value === undefined || typeof value === 'function') continue
    throw new TypeError(`idempotent: ${name} must be a function, got ${inspectValue(value)}`)
  }
}

function requireFields(fields: readonly string[] | 'all'): void {
  if (fields === 'all') return
  const wrong = fields.find((name) => !mayBeStored(name))
  if (wrong !== undefined)
    throw new TypeError(`idempotent: fields must not name ${inspectValue(wrong)}: it is never kept`)
}
