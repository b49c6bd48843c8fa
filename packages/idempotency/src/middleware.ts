import { callSafely } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { getHeader, getTarget } from '../../internal/middleware.ts'
import { parsePrefer } from '../../internal/prefer.ts'
import { refuse } from '../../internal/refuse.ts'
import type { ReplayedResponse } from './begin-result.ts'
import { peekBody } from './body.ts'
import { type CapturedResponse, capture } from './capture.ts'
import { decodeContent } from './decode.ts'
import { type IdempotencyEngine, idempotencyEngine } from './engine.ts'
import { callbackFailed, isIdempotencyError, keyInvalid, keyMissing, userUnknown } from './errors.ts'
import { createFingerprint } from './fingerprint.ts'
import { idempotencyOf, REPLAY_INFO, setInfo } from './info.ts'
import { parseIdempotencyKey } from './key.ts'
import { type IdempotencyOptions, resolveSettings, type Settings } from './middleware-options.ts'
import { replay } from './replay.ts'
import type { JobContext, RunResult, SerializedResult } from './run.ts'
import { decideStored } from './storable.ts'

/**
 * Creates middleware that makes retried requests safe: the handler runs once, and every retry with
 * the same key gets the first response. Mount it after authentication and before the body parser.
 * Throws a `TypeError` if an option is invalid.
 *
 * @example
 * app.post('/payments', idempotency(), express.json(), createPayment)
 */
export function idempotency<Req extends IncomingMessage = IncomingMessage>(
  options: IdempotencyOptions<Req> = {},
): Middleware {
  const settings = resolveSettings(options, ['next', 'json'])
  const engine = idempotencyEngine(settings.engine)
  return (req, res, next) => {
    // A request that passed another one of these already has its key.
    if (!settings.methods.has(req.method ?? '') || idempotencyOf(req)) {
      next()
      return
    }
    const context: MiddlewareContext<Req> = { req: req as Req, res, next, settings, engine }
    if (req.headers[settings.headerName] !== undefined) identify(context)
    else if (settings.required) sendError(context, keyMissing(settings.header, settings.docsUrl))
    else next()
  }
}

interface MiddlewareContext<Req> {
  req: Req
  res: ServerResponse
  next: Next
  settings: Settings<Req>
  engine: IdempotencyEngine
}

function sendError<Req extends IncomingMessage>(context: MiddlewareContext<Req>, error: HttpErrorLike): void {
  const { req, res, next, settings } = context
  if (!res.headersSent) refuse(error, req, res, next, settings.onRefused)
}

/** Finds the user and the fingerprint of a request. */
function identify<Req extends IncomingMessage>(context: MiddlewareContext<Req>): void {
  const { req, settings } = context
  const key = readKey(req, settings)
  if (key === undefined) return sendError(context, keyInvalid(settings.header))
  const fail = (error: unknown): void => sendError(context, callbackFailed(error))
  callSafely(
    () => settings.user(req),
    (user) => {
      if (typeof user !== 'string') return sendError(context, userUnknown(user))
      const body = { maxBytes: settings.maxBodyBytes, consumed: settings.fingerprint ? 'empty' : 'reject' } as const
      peekBody(req, body, (error, bytes) => {
        if (error) return sendError(context, error)
        callSafely(
          () => toFingerprint(req, bytes, settings),
          (fingerprint) => run(context, user, key, fingerprint),
          fail,
        )
      })
    },
    fail,
  )
}

// node:http joins header lines with a comma: a value with a comma may be two keys.
function readKey<Req extends IncomingMessage>(req: Req, { headerName, strict }: Settings<Req>): string | undefined {
  const value = req.headers[headerName]
  if (typeof value !== 'string') return undefined
  if (value.includes(',') && countLines(req, headerName) !== 1) return undefined
  return parseIdempotencyKey(value, strict)
}

// HTTP/2 requests have no headersDistinct.
function countLines({ rawHeaders }: IncomingMessage, headerName: string): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === headerName).length
}

function toFingerprint<Req extends IncomingMessage>(req: Req, body: Uint8Array | string, settings: Settings<Req>) {
  if (settings.fingerprint) return settings.fingerprint(req, body)
  const { method = '', headers } = req
  const contentType = headers['content-type']
  const content = decodeContent(body, headers['content-encoding'], settings.maxBodyBytes)
  const version = settings.version?.(req)
  return createFingerprint({ method, target: getTarget(req), contentType, body: content, version })
}

type Outcome = { captured: CapturedResponse } | { replayed: ReplayedResponse }

/** Runs the handler under the key, or replays the stored response. */
function run<Req extends IncomingMessage>(
  context: MiddlewareContext<Req>,
  scope: string,
  key: string,
  fingerprint: string,
): void {
  const { req, res, settings, engine } = context
  const { onStoreError } = settings
  let captured: CapturedResponse | undefined
  let decide: Decide | undefined
  const work = (job: JobContext): Promise<Outcome> => {
    // A timeout upstream may have responded while we waited: there is no client to respond to.
    if (res.headersSent) throw new AlreadySent()
    return new Promise((resolve) => {
      decide = handle(context, key, job, (response) => {
        captured = response
        resolve({ captured: response })
      })
    })
  }
  callSafely<RunResult<Outcome>>(
    () => {
      const maxWaitMs = resolveWait(req, settings)
      const policy = typeof onStoreError === 'function' ? onStoreError(req) : onStoreError
      return engine.run<Outcome>({ scope, key, fingerprint, maxWaitMs, onStoreError: policy }, work, {
        serialize: (outcome) => ('captured' in outcome ? decide?.(outcome.captured) : undefined),
        deserialize: (response) => ({ replayed: response }),
      })
    },
    ({ value, waited }) => {
      if ('captured' in value) return value.captured.send()
      if (res.headersSent) return
      setInfo(req, { ...REPLAY_INFO, key })
      replay(res, value.replayed, settings.replayedHeader, waited && readWait(req) !== undefined)
    },
    (error) => {
      if (error instanceof AlreadySent) return
      const idempotencyError = isIdempotencyError(error) ? error : callbackFailed(error)
      if (captured) captured.fail(idempotencyError)
      else sendError(context, idempotencyError)
    },
  )
}

class AlreadySent extends Error {}

/** Returns how a captured response is stored; `undefined` if it is not. */
type Decide = (captured: CapturedResponse) => SerializedResult | undefined

/** Calls the handler, and captures its response. */
function handle<Req extends IncomingMessage>(
  context: MiddlewareContext<Req>,
  key: string,
  { attempt, transaction, checkpoint }: JobContext,
  onComplete: (captured: CapturedResponse) => void,
): Decide {
  const { req, res, next, settings } = context
  const hasTransaction = transaction !== undefined
  let forced: 'commit' | 'release' | undefined
  const commit = (): void => void (forced = 'commit')
  const release = (): void => void (forced = 'release')
  setInfo(req, { key, attempt, replayed: false, transaction, checkpoint, commit, release })
  capture(req, res, {
    pick: settings.pick,
    maxBytes: settings.maxResponseBytes,
    hold: hasTransaction,
    onComplete,
    fail: (error) => sendError(context, error),
  })
  queueMicrotask(next)
  return ({ response, isCut }) => {
    if (isCut && hasTransaction) return undefined
    return decideStored(response, { forced, hasTransaction, shouldStore: settings.shouldStore })
  }
}

function resolveWait<Req extends IncomingMessage>(req: Req, { wait, maxWaitMs }: Settings<Req>): number {
  if (wait === 'never') return 0
  const seconds = readWait(req) ?? (wait === 'always' ? Number.POSITIVE_INFINITY : 0)
  return Math.min(seconds * 1000, maxWaitMs)
}

function readWait(req: IncomingMessage): number | undefined {
  return parsePrefer(getHeader(req, 'prefer')).waitSeconds
}
