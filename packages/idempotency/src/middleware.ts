import { callSafely } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { getHeader, getTarget } from '../../internal/middleware.ts'
import { refuse } from '../../internal/refuse.ts'
import type { Begun } from './begun.ts'
import { peekBody } from './body.ts'
import { capture } from './capture.ts'
import { quietly } from './chain.ts'
import { type Idempotency, idempotency } from './engine.ts'
import { publish } from './events.ts'
import { idempotencyOf, setFact } from './facts.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readKey } from './key.ts'
import type { Lease } from './lease.ts'
import { type IdempotentOptions, readOptions, type Settings } from './middleware-options.ts'
import { waitOf } from './prefer.ts'
import { callbackFailed, keyInvalid, keyMissing, unscoped } from './refusals.ts'
import { replay } from './replay.ts'
import { settle, type Verdict } from './settle.ts'

/**
 * Makes a retried request harmless: its handler runs once, and every retry gets the first answer. Stands behind
 * authentication and before whatever reads the body. Throws a TypeError on options that cannot work.
 */
export function idempotent(options: IdempotentOptions = {}): Middleware {
  const settings = readOptions(options)
  const engine = idempotency(settings.engine)
  return (req, res, next) => {
    // A request that went through another one already has its key.
    if (!settings.methods.has(req.method ?? '') || idempotencyOf(req)) {
      next()
      return
    }
    const exchange: Exchange = { req, res, next, settings, engine }
    if (req.headers[settings.field] !== undefined) identify(exchange)
    else if (settings.required) give(exchange, keyMissing(settings.header, settings.help))
    else next()
  }
}

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  next: Next
  settings: Settings
  engine: Idempotency
}

function give({ req, res, next, settings }: Exchange, error: HttpErrorLike): void {
  if (!res.headersSent) refuse(error, req, res, next, settings.onRefused)
}

/** Whose key is it, and for what request? */
function identify(exchange: Exchange): void {
  const { req, settings } = exchange
  const key = keyOf(req, settings)
  if (key === undefined) return give(exchange, keyInvalid(settings.header))
  const broken = (error: unknown): void => give(exchange, callbackFailed(error))
  callSafely(
    () => settings.scope(req),
    (scope) => {
      if (typeof scope !== 'string') return give(exchange, unscoped())
      peekBody(
        req,
        { maxBytes: settings.maxBodyBytes, unseen: settings.fingerprint ? 'empty' : 'refuse' },
        (error, body) => {
          if (error) return give(exchange, error)
          callSafely(
            () => fingerprint(req, body, settings),
            (print) => begin(exchange, scope, key, print),
            broken,
          )
        },
      )
    },
    broken,
  )
}

// node joins field lines with a comma: a key with one in it may have been two.
function keyOf(req: IncomingMessage, { field, strict }: Settings): string | undefined {
  const value = req.headers[field]
  if (typeof value !== 'string') return undefined
  if (value.includes(',') && req.headersDistinct[field]?.length !== 1) return undefined
  return readKey(value, strict)
}

function fingerprint(req: IncomingMessage, body: Uint8Array | string, settings: Settings) {
  if (settings.fingerprint) return settings.fingerprint(req, body)
  const { method = '', headers } = req
  const version = settings.version?.(req)
  return fingerprintOf({ method, target: getTarget(req), contentType: headers['content-type'], body, version })
}

function begin(exchange: Exchange, scope: string, key: string, print: string): void {
  const { req, res, settings, engine } = exchange
  const proceed = (begun: Begun): void => {
    // A time-out in front of us may have answered while we waited: nobody is there to be told anything.
    if (res.headersSent) return letGo(begun)
    if (begun.outcome === 'new') return run(exchange, key, begun.lease)
    if (begun.outcome === 'refused') return refuseOrRun(exchange, begun.failure)
    setFact(req, { ...NOTHING_TO_DO, key })
    replay(res, begun.response, settings.replayedHeader, begun.waited)
  }
  const broken = (error: unknown): void => give(exchange, callbackFailed(error))
  callSafely(() => engine.begin({ scope, key, fingerprint: print, waitMs: waitMsOf(req, settings) }), proceed, broken)
}

function letGo(begun: Begun): void {
  if (begun.outcome === 'new') quietly(begun.lease.release)
}

const NOTHING_TO_DO = {
  generation: 0,
  replayed: true,
  transaction: undefined,
  checkpoint: () => Promise.reject(new Error('idempotency: a replay has no steps to take')),
  commit: () => {},
  release: () => {},
}

function waitMsOf(req: IncomingMessage, { wait, maxWaitSeconds }: Settings): number {
  if (wait === 'never') return 0
  const asked = waitOf(getHeader(req, 'prefer')) ?? (wait === 'always' ? maxWaitSeconds : 0)
  return Math.min(asked, maxWaitSeconds) * 1000
}

function refuseOrRun(exchange: Exchange, error: HttpErrorLike): void {
  const { settings, next } = exchange
  if (error.code !== 'ERR_IDEMPOTENCY_STORE_DOWN' || settings.onStoreDown === 'refuse') return give(exchange, error)
  publish({ type: 'unprotected', id: '', error: error.cause })
  next()
}

function run(exchange: Exchange, key: string, lease: Lease): void {
  const { req, res, next, settings } = exchange
  const { generation, transaction, checkpoint } = lease
  let forced: Verdict['forced']
  const commit = (): void => void (forced = 'commit')
  const release = (): void => void (forced = 'release')
  setFact(req, { key, generation, replayed: false, transaction, checkpoint, commit, release })
  capture(req, res, {
    pick: settings.pick,
    maxBytes: settings.maxResponseBytes,
    hold: transaction !== undefined,
    settle: (response, isCut) => settle(lease, response, { forced, keep: settings.keep, isCut }),
    fail: (error) => give(exchange, error),
  })
  next()
}
