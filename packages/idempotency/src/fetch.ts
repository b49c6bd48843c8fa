import { type OnRefusedFetch, refuseFetch } from '../../internal/fetch-error.ts'
import { copyFacts, type FetchMiddleware, type FetchNext } from '../../internal/fetch-middleware.ts'
import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import { parsePrefer } from '../../internal/prefer.ts'
import { getReason } from '../../internal/reason.ts'
import type { ReplayedResponse } from './begin-result.ts'
import { decode, decodeContent } from './decode.ts'
import { type IdempotencyEngine, idempotencyEngine } from './engine.ts'
import {
  bodyConsumed,
  bodyTooLarge,
  callbackFailed,
  isIdempotencyError,
  keyInvalid,
  keyMissing,
  userUnknown,
} from './errors.ts'
import { createFingerprint } from './fingerprint.ts'
import { idempotencyOf, setInfo } from './info.ts'
import { parseIdempotencyKey } from './key.ts'
import { type IdempotencyOptions, resolveSettings, type Settings } from './middleware-options.ts'
import type { StoredResponse } from './response.ts'
import type { JobContext } from './run.ts'
import { decideStored } from './storable.ts'

export type { OnRefusedFetch } from '../../internal/fetch-error.ts'
export type { FetchMiddleware, FetchNext } from '../../internal/fetch-middleware.ts'
export { idempotencyOf } from './info.ts'

/**
 * Options for `idempotency()` on Fetch hosts: callbacks get a `Request`, and `onRefused` returns a
 * response.
 */
export type FetchIdempotencyOptions = IdempotencyOptions<Request, OnRefusedFetch>

type FetchSettings = Settings<Request, OnRefusedFetch>

/**
 * Creates middleware for Fetch hosts that makes retried requests safe: the handler runs once, and
 * every retry with the same key gets the first response. A response to a request with a key is read
 * as a whole before it is returned, up to `maxResponseBytes`. Throws a `TypeError` if an option is
 * invalid.
 *
 * @example
 * const keyed = idempotency({ user: (request) => request.headers.get('x-user') ?? '' })
 * export default { fetch: (request) => keyed(request, handle) }
 */
export function idempotency(options: FetchIdempotencyOptions = {}): FetchMiddleware {
  const settings = resolveSettings(options, ['json', 'throw'])
  const engine = idempotencyEngine(settings.engine)
  return async (request, next) => {
    // A request that passed another one of these already has its key.
    if (!settings.methods.has(request.method) || idempotencyOf(request)) return next(request)
    const value = request.headers.get(settings.headerName)
    if (value === null && !settings.required) return next(request)
    try {
      return await run(settings, engine, request, value, next)
    } catch (error) {
      if (error instanceof HandlerError) throw error.cause
      return refuseFetch(isIdempotencyError(error) ? error : callbackFailed(error), request, settings.onRefused)
    }
  }
}

/** An error of the handler: it is not one of this package. */
class HandlerError extends Error {}

interface Captured {
  response: Response
  stored: StoredResponse
  /** The error of the handler, if it threw: it is thrown instead. */
  thrown?: HandlerError
}

async function run(
  settings: FetchSettings,
  engine: IdempotencyEngine,
  request: Request,
  value: string | null,
  next: FetchNext,
): Promise<Response> {
  if (value === null) throw keyMissing(settings.header, settings.docsUrl)
  const key = parseIdempotencyKey(value, settings.strict)
  if (key === undefined) throw keyInvalid(settings.header)
  const scope = await settings.user(request)
  if (typeof scope !== 'string') throw userUnknown(scope)
  const body = await readRequest(request, settings)
  const fingerprint = await toFingerprint(request, body ?? new Uint8Array(), settings)
  // The body has been read: the handler gets a request that has it again.
  const forwarded =
    body === undefined || request.body === null ? request : copyFacts(request, new Request(request, { body }))
  let forced: 'commit' | 'release' | undefined
  let hasTransaction = false
  const work = async ({ attempt, transaction, checkpoint }: JobContext): Promise<Captured> => {
    hasTransaction = transaction !== undefined
    const commit = (): void => void (forced = 'commit')
    const release = (): void => void (forced = 'release')
    setInfo(forwarded, { key, attempt, replayed: false, transaction, checkpoint, commit, release })
    try {
      return await capture(await next(forwarded), settings)
    } catch (cause) {
      // What the handler did before may have taken effect: a retry must not run it again.
      const response = await refuseFetch(toHttpError(cause), request)
      return { ...(await capture(response, settings)), thrown: new HandlerError('the handler failed', { cause }) }
    }
  }
  const { onStoreError } = settings
  const policy = typeof onStoreError === 'function' ? onStoreError(request) : onStoreError
  const input = { scope, key, fingerprint, maxWaitMs: resolveWait(request, settings), onStoreError: policy }
  const { value: result, waited } = await engine.run<Captured | ReplayedResponse>(input, work, {
    serialize: (captured) =>
      'stored' in captured
        ? decideStored(captured.stored, { forced, hasTransaction, shouldStore: settings.shouldStore })
        : undefined,
    deserialize: (response) => response,
  })
  if (!('stored' in result)) return toReplay(result, settings.replayedHeader, waited && readWait(request) !== undefined)
  if (result.thrown) throw result.thrown
  return result.response
}

/** Returns the error that retries get: with the status of the handler's error, if it has one. */
function toHttpError(cause: unknown): HttpErrorLike {
  const { status: claimed, code, message, expose } = Object(cause) as Partial<Record<string, unknown>>
  const status = typeof claimed === 'number' && claimed >= 400 && claimed <= 599 ? claimed : 500
  const reason = getReason(status).toUpperCase()
  return createHttpError({
    status,
    code: expose === true && typeof code === 'string' ? code : reason.replaceAll(/[^A-Z]+/g, '_'),
    message: String(message),
    expose: expose === true,
  })
}

/**
 * Reads the body, up to the limit; `undefined` if it was read before, and the route has its own
 * fingerprint.
 */
async function readRequest(
  request: Request,
  { maxBodyBytes, fingerprint }: FetchSettings,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request.bodyUsed) {
    if (fingerprint) return undefined
    throw bodyConsumed()
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
  const { bytes, rest } = await readStream(request.body, maxBodyBytes)
  if (!rest) return bytes
  await rest.cancel()
  throw bodyTooLarge(maxBodyBytes)
}

function toFingerprint(request: Request, body: Uint8Array, settings: FetchSettings) {
  if (settings.fingerprint) return settings.fingerprint(request, body)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const contentType = headers.get('content-type') ?? ''
  const content = decodeContent(body, headers.get('content-encoding') ?? undefined, settings.maxBodyBytes)
  const version = settings.version?.(request)
  return createFingerprint({ method, target: pathname + search, contentType, body: content, version })
}

function resolveWait(request: Request, { wait, maxWaitMs }: FetchSettings): number {
  if (wait === 'never') return 0
  const seconds = readWait(request) ?? (wait === 'always' ? Number.POSITIVE_INFINITY : 0)
  return Math.min(seconds * 1000, maxWaitMs)
}

function readWait(request: Request): number | undefined {
  return parsePrefer(request.headers.get('prefer') ?? undefined).waitSeconds
}

/** Reads a response as it is stored. A body that is too large is passed on, and not stored. */
async function capture(response: Response, { maxResponseBytes, pick }: FetchSettings): Promise<Captured> {
  const { status, statusText, headers } = response
  const { bytes, rest } = await readStream(response.body, maxResponseBytes)
  const picked = pick({
    getHeaderNames: () => [...headers.keys()],
    getHeader: (name) => headers.get(name) ?? undefined,
  })
  const encoding = headers.get('content-encoding') ?? undefined
  const body = rest ? undefined : decode(Buffer.from(bytes), encoding, maxResponseBytes)
  const content = response.body === null ? null : rest ? join(bytes, rest) : bytes
  return {
    response: new Response(content, { status, statusText, headers }),
    stored: { status, headers: picked, body },
  }
}

interface ReadResult {
  bytes: Uint8Array<ArrayBuffer>
  /** The rest of a stream that has more than the limit. */
  rest: ReadableStreamDefaultReader<Uint8Array> | undefined
}

async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<ReadResult> {
  const chunks: Uint8Array[] = []
  const reader = stream?.getReader()
  let size = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size > maxBytes) return { bytes: concat(chunks, size), rest: reader }
  }
  return { bytes: concat(chunks, size), rest: undefined }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

function join(bytes: Uint8Array, rest: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    async pull(controller) {
      const { done, value } = await rest.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => rest.cancel(reason),
  })
}

function toReplay({ status, headers, body }: ReplayedResponse, marker: string, waited: boolean): Response {
  const all = new Headers()
  for (const [name, value] of headers) for (const each of [value].flat()) all.append(name, String(each))
  all.set(marker, 'true')
  if (waited) all.set('Preference-Applied', 'wait')
  // Statuses that must not have a body (RFC 9110 §15.3.5, §15.4.5).
  const isNull = status === 204 || status === 205 || status === 304
  return new Response(isNull ? null : new Uint8Array(body), { status, headers: all })
}

export type { HttpErrorLike }
