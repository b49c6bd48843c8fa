import type { ServerResponse } from 'node:http'
import type { ErrorMiddleware } from '@svc/errors'
import { type Middleware, type Next, type Representation, sendRepresentation } from '@svc/negotiate'
import { sendPrepared } from '@svc/negotiate/prepared'
import { sendSoapResponse } from '@svc/soap-envelope'
import { isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { type Reply, RequestState, type Stage } from '../engine/request-state.ts'
import { failure } from '../messages/errors.ts'

/** Called after the response has been sent, or after the client has disconnected. */
export type Observer = (state: RequestState) => void

export interface PipelineOptions {
  /** Headers of every response. */
  headers?: Readonly<Record<string, string>>
  stages: readonly Stage[]
  observers?: readonly Observer[]
  /**
   * The error handler of the app. What stages throw or return goes straight to it: the router would
   * look for it again with each error. @defaultValue errors go to `next`
   */
  onError?: ErrorMiddleware
}

type Fail = (state: RequestState, error: unknown, next: Next) => void

/**
 * Runs stages one after the other until one of them responds. Errors go to the error handler of the
 * app; `next` is called without an error if no stage responds.
 */
export function pipeline({ headers = {}, stages, observers = [], onError }: PipelineOptions): Middleware {
  const fail: Fail = onError
    ? ({ req, res }, error, next) => onError(error, req, res, next)
    : (_state, error, next) => next(error)
  const run = (state: RequestState, next: Next): void => {
    const { res } = state
    try {
      const reply = runStages(stages, state, 0)
      if (isPromise(reply))
        reply.then((later) => respond(state, later, next, fail)).then(undefined, (error) => fail(state, error, next))
      else respond(state, reply, next, fail)
    } catch (error) {
      fail(state, error, next)
    }
    // A response that was handed to the kernel in the same tick needs no listener.
    if (isHandedOver(res)) for (const observer of observers) observer(state)
    else
      res.once('close', () => {
        try {
          for (const observer of observers) observer(state)
        } catch (error) {
          next(error)
        }
      })
  }
  return (req, res, next) => {
    const state = new RequestState(req, res, headers)
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers
    if (length === undefined && coding === undefined) run(state, next)
    else PARSED.then(() => run(state, next)).then(undefined, next)
  }
}

/**
 * Whether the kernel has all of a response, in the tick that has ended it. `writableFinished` says
 * so later: with the event `finish`.
 */
export function isHandedOver({ writableEnded, writableLength, socket }: ServerResponse): boolean {
  return writableEnded && writableLength === 0 && socket?.destroyed === false
}

// Stages of a request with a body run when node:http has parsed the rest of the packet: a response
// in the same tick would precede an error of the body that has arrived with the head.
const PARSED = Promise.resolve()

/**
 * Runs ordinary middleware as a stage. Middleware that ends the response itself does not call its
 * `next`.
 */
export function fromMiddleware(middleware: Middleware): Stage {
  return ({ req, res }) => {
    const outcome: { isDone?: true; error?: unknown; settle?: (error: unknown) => void } = {}
    middleware(req, res, (error) => {
      if (outcome.settle) return outcome.settle(error)
      outcome.isDone = true
      outcome.error = error
    })
    if (!outcome.isDone) {
      return new Promise((resolve, reject) => {
        outcome.settle = (error) => (error === undefined ? resolve(undefined) : reject(error))
      })
    }
    if (outcome.error !== undefined) throw outcome.error
    return undefined
  }
}

/** Runs stages for some paths only. The last of them responds. */
export function onPaths(paths: ReadonlySet<string>, stages: readonly Stage[]): Stage {
  const prefix = findPrefix(paths)
  return (state) => (state.path.startsWith(prefix) && paths.has(state.path) ? runStages(stages, state, 0) : undefined)
}

/** Returns the beginning that paths share. It excludes most others, without hashing them. */
export function findPrefix(paths: Iterable<string>): string {
  const [first = '', ...others] = paths
  let length = first.length
  while (others.some((path) => !path.startsWith(first.slice(0, length)))) length--
  return first.slice(0, length)
}

/** Runs stages from one of them on, until one responds. */
export function runStages(
  stages: readonly Stage[],
  state: RequestState,
  from: number,
): MaybePromise<Reply | undefined> {
  for (let index = from; index < stages.length; index++) {
    const reply = stages[index]?.(state)
    if (reply === undefined) continue
    if (isPromise(reply)) return reply.then((later) => later ?? runStages(stages, state, index + 1))
    return reply
  }
  return undefined
}

/** Sends a reply. The one place that ends responses; the error handler ends the others. */
function respond(state: RequestState, reply: Reply | undefined, next: Next, fail: Fail): void {
  const { req, res } = state
  if (!reply) return next()
  if ('prepared' in reply) return sendPrepared(req, res, reply.prepared, state.added, next, 'next')
  if ('error' in reply) return fail(state, reply.error, next)
  if ('soap' in reply) return sendSoapResponse(req, res, reply.soap, state.headerParts)
  const headers = { ...state.common, ...state.versionHeaders, ...state.added }
  if ('status' in reply) return void res.writeHead(reply.status, Object.assign(headers, reply.headers)).end()
  const { representation } = reply
  sendRepresentation(req, res, { ...representation, headers: joinHeaders(headers, representation) }, next, 'next')
}

/** Adds the headers of a representation to those of its request, and returns them. */
export function joinHeaders(
  headers: Record<string, string>,
  { headers: own }: Representation,
): NonNullable<Representation['headers']> {
  // Pages link to their neighbors, versions to their successor.
  const link = own?.['Link'] !== undefined && headers['Link'] !== undefined ? `${headers['Link']}, ${own['Link']}` : ''
  return Object.assign(headers, own, link && { Link: link })
}

/** Maximum time for the work of a request. */
export const DEADLINE_MS = 15_000

/**
 * Runs work with a deadline: 503 if it takes longer. Work that does not wait needs no timer. The
 * work calls `lift` right before it commits. After the deadline `lift` throws, so that nothing is
 * stored after the client received an error. Before it, `lift` cancels the deadline.
 */
export function withDeadline<T>(milliseconds: number, work: (lift: () => void) => MaybePromise<T>): MaybePromise<T> {
  let isLifted = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const result = work(() => {
    if (isOver) throw tooLong()
    isLifted = true
    clearTimeout(timer)
  })
  if (!isPromise(result) || isLifted) return result
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  timer = setTimeout(() => {
    isOver = true
    reject(tooLong())
  }, milliseconds)
  result.then(resolve, reject).then(() => clearTimeout(timer))
  return promise
}

function tooLong(): Error {
  return failure('SERVICE_UNAVAILABLE.deadline', undefined, { retryAfter: 1 })
}
