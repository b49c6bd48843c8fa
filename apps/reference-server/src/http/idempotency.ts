import type { IncomingMessage } from 'node:http'
import { classify } from '@svc/errors'
import {
  type BeginInput,
  type IdempotencyEngine,
  isStorable,
  parseIdempotencyKey,
  type ReplayedResponse,
  type SqlExecutor,
  type StoredResponse,
  type TransactionalStore,
} from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import type { Representation } from '@svc/negotiate'
import { etagFromVersion } from '@svc/negotiate/etags'
import type { Connection, Database } from '../database/connection.ts'
import type { RequestState } from '../engine/request-state.ts'
import { Postponed } from '../engine/transaction.ts'
import { toPageRepresentation } from '../formats/pages/view.ts'
import { failure } from '../messages/errors.ts'
import { restoreError, type StoredError, toStoredError } from '../messages/stored-error.ts'

/**
 * Creates the store of idempotency keys: a table next to the data, so that both are committed
 * together.
 */
export function keyStore({ native }: Database): TransactionalStore {
  return 'sqlite' in native
    ? sqliteStore(native.sqlite, { createTable: false })
    : postgresStore(native.pool, { createTable: false })
}

/** Returns the key of a request if its action supports keys; 400 if it is missing or malformed. */
export function readIdempotencyKey({ req, match }: RequestState): string | undefined {
  const wanted = match?.action.idempotency ?? 'none'
  if (wanted === 'none') return undefined
  const field = req.headers['idempotency-key']
  if (field === undefined) {
    if (wanted === 'optional') return undefined
    throw failure('IDEMPOTENCY_KEY_MISSING')
  }
  // Two header lines are joined with a comma: neither of them is the key.
  const isOne =
    typeof field === 'string' && (!field.includes(',') || req.headersDistinct['idempotency-key']?.length === 1)
  const key = isOne ? parseIdempotencyKey(field) : undefined
  if (key !== undefined) return key
  throw failure('IDEMPOTENCY_KEY_INVALID')
}

/** Runs the work of a key once, and returns its response to every retry. */
export type RunKeyed = (
  input: BeginInput,
  state: RequestState,
  work: (parts: { transaction: Connection }) => Promise<Representation>,
) => Promise<Representation>

/**
 * Key, effects and response are committed together: what is not stored never happened. An error of
 * the work is stored after the rollback, so that retries fail in the same way.
 */
export function createRunKeyed(engine: IdempotencyEngine, database: Database): RunKeyed {
  return async (input, state, work) => {
    const { value } = await engine.run<Representation, Connection>(input, work, {
      savepoint: false,
      transaction: (use) => database.transaction((tx) => use(tx, { query: tx.all as SqlExecutor['query'] })),
      serialize: toStored.bind(undefined, state),
      deserialize: (response) => toRepresentation(response, state.req),
      serializeError: (error) => (isFinal(error) ? toErrorResponse(error, state) : undefined),
    })
    return value
  }
}

// Temporary errors, and errors before the work starts, are retried.
function isFinal(error: unknown): boolean {
  return !(error instanceof Postponed) && isStorable(classify(error).status)
}

// Headers of the response itself. Those of limits, security and correlation belong to each request.
const STORED = [
  'Location',
  'Content-Location',
  'Link',
  'Preference-Applied',
  'Cache-Group-Invalidation',
  'Retry-After',
] as const
const CORRELATION = 'X-Correlation-ID'

function toStored({ correlationId }: RequestState, representation: Representation): StoredResponse {
  const {
    status = 200,
    type,
    headers: all = {},
    version,
    variant,
    lastModified,
    cacheControl,
    language,
    body,
  } = representation
  const headers: [string, string][] = [[CORRELATION, correlationId]]
  for (const name of STORED) if (all[name] !== undefined) headers.push([name, String(all[name])])
  if (type !== undefined) headers.push(['Content-Type', type])
  if (cacheControl !== undefined) headers.push(['Cache-Control', cacheControl])
  if (language !== undefined) headers.push(['Content-Language', language])
  if (lastModified !== undefined) headers.push(['Last-Modified', new Date(lastModified).toUTCString()])
  if (version !== undefined) headers.push(['ETag', etagFromVersion(version, { type, variant })])
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : new Uint8Array()
  return { status, headers, body: bytes }
}

function toErrorResponse(error: unknown, { correlationId }: RequestState): StoredResponse {
  const { status, headers: all } = classify(error)
  const headers: [string, string | readonly string[]][] = [[CORRELATION, correlationId]]
  for (const name of STORED) if (all[name] !== undefined) headers.push([name, all[name]])
  return { status, headers, body: Buffer.from(JSON.stringify(toStoredError(error))) }
}

/** The first response again. An error is thrown again, so that it is handled like every error. */
function toRepresentation(response: ReplayedResponse, req: IncomingMessage): Representation {
  const { status, headers, body } = response
  const stored = new Map(headers.map(([name, value]) => [name, String(value)]))
  const replayed: Record<string, string> = { 'Idempotent-Replayed': 'true' }
  for (const name of STORED) {
    const value = stored.get(name)
    if (value !== undefined) replayed[name] = value
  }
  const correlationId = stored.get(CORRELATION)
  if (correlationId !== undefined) replayed['Idempotent-Original-Correlation-ID'] = correlationId
  if (status >= 400) throw restoreError({ ...parseError(response), status }, replayed)
  const type = stored.get('Content-Type')
  const lastModified = stored.get('Last-Modified')
  const representation: Representation = {
    status,
    headers: replayed,
    type,
    cacheControl: stored.get('Cache-Control'),
    etag: stored.get('ETag') ?? false,
    ...(lastModified !== undefined && { lastModified: Date.parse(lastModified) }),
    ...(type !== undefined && { body, vary: ['Accept'] }),
  }
  const language = stored.get('Content-Language') // of a page
  return language === undefined ? representation : { ...toPageRepresentation(representation, req), language }
}

function parseError({ body }: ReplayedResponse): StoredError {
  return JSON.parse(Buffer.from(body).toString())
}
