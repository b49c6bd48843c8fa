import { attempt } from '../../internal/guard.ts'
import {
  type DownstreamResponse,
  interceptResponse,
  type ResponseInterceptor,
} from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { requestFact } from '../../internal/request-fact.ts'
import type { ContentEncoding } from './codecs.ts'
import { compressBody } from './compress-body.ts'
import {
  findStem,
  getAnnouncedSize,
  hashBody,
  isLive,
  planResponse,
  type ResponsePlan,
  type ResponseState,
  varyByEncoding,
} from './response-plan.ts'
import { type StreamEncoder, streamEncoder } from './stream-encoder.ts'

const states = requestFact<ResponseState>('negotiate.response')

/**
 * Returns the state of the response to a request, in which each middleware stores its settings. The
 * response is intercepted once, whatever their number and order: the ETag must be known before the
 * encoding, and the encoding before the conditions are evaluated.
 */
export function getResponseState(req: IncomingMessage, res: ServerResponse): ResponseState {
  const existing = states.get(res)
  if (existing) return existing
  const state: ResponseState = { req, res }
  states.set(res, state)
  intercept(state)
  return state
}

function intercept(state: ResponseState): void {
  const { req, res } = state
  const isHead = req.method === 'HEAD'
  const readSent = isHead ? watchSend(res) : undefined
  let plan: ResponsePlan | undefined
  let encoder: StreamEncoder | undefined
  const getEncoder = (encoding: ContentEncoding, downstream: DownstreamResponse): StreamEncoder => {
    encoder ??= streamEncoder(encoding, res, downstream, isLive(res), state.compression?.codecOptions)
    return encoder
  }
  const interceptor: Required<ResponseInterceptor> = {
    late: true,
    head(whole, last) {
      varyByEncoding(state)
      // A complete body is available when `end` is called; HEAD sends none, and a streamed one is
      // not available yet. A middleware before this one may change only the body of GET.
      const body = isHead && res.end === end ? (last ?? readSent?.()) : undefined
      if (!whole || isHead)
        plan = planResponse(state, body?.length ?? getAnnouncedSize(res), findStem(state, hashBody(state, body)))
    },
    write(chunk, downstream) {
      if (plan?.isReplaced) return true
      return plan?.encoding ? getEncoder(plan.encoding, downstream).write(chunk) : downstream.write(chunk)
    },
    end(last, downstream) {
      if (plan === undefined && !res.headersSent) sendWhole(state, last, downstream)
      else if (plan?.isReplaced) downstream.end(plan.body)
      else if (plan?.encoding) getEncoder(plan.encoding, downstream).end(last)
      else downstream.end(last)
    },
  }
  interceptResponse(req, res, interceptor)
  const { end } = res
  Object.assign(res, { flush: () => encoder?.flush() })
}

function sendWhole(state: ResponseState, body: Buffer | undefined, downstream: DownstreamResponse): void {
  const { res } = state
  const hash = hashBody(state, body)
  const { isReplaced, encoding, body: replacement } = planResponse(state, body?.length ?? 0, findStem(state, hash))
  if (isReplaced) return downstream.end(replacement)
  if (encoding === undefined || body === undefined) return downstream.end(body)
  const send = (error: Error | null, compressed: Buffer): void => {
    if (error) return void res.destroy(error)
    const { isChunked = false } = state.compression ?? {}
    if (!isChunked) res.setHeader('Content-Length', compressed.length)
    const pass = (): void => {
      if (isChunked) downstream.write(compressed)
      downstream.end(isChunked ? undefined : compressed)
    }
    attempt(pass, () => res.destroy())
  }
  compressBody(body, encoding, hash, send, state.compression?.codecOptions)
}

/**
 * Returns a function for the body that `res.send` of Express last got. For HEAD, Express ends the
 * response without a body, so the ETag of GET could not be computed otherwise.
 */
function watchSend(res: ServerResponse): () => Buffer | undefined {
  const { send } = res as { send?: unknown }
  let sent: Buffer | undefined
  if (typeof send === 'function') {
    const watched = (...args: unknown[]): unknown => {
      for (const body of args) {
        if (typeof body === 'string') sent = Buffer.from(body)
        else if (Buffer.isBuffer(body)) sent = body
      }
      return send.apply(res, args)
    }
    Object.assign(res, { send: watched })
  }
  return () => sent
}
