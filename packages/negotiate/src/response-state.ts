import { attempt } from '../../internal/guard.ts'
import {
  type DownstreamResponse,
  interceptResponse,
  type ResponseInterceptor,
} from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { requestFact } from '../../internal/request-fact.ts'
import type { ContentEncoding } from './coding.ts'
import { compressBody } from './compress-body.ts'
import {
  findStem,
  getAnnouncedSize,
  hashBody,
  isLive,
  planResponse,
  type ResponsePlan,
  type ResponseState,
  varyByCoding,
} from './response-plan.ts'
import { watchSend } from './sent-body.ts'
import { type StreamEncoder, streamEncoder } from './stream-encoder.ts'

const outgoing = requestFact<ResponseState>('negotiate.outgoing')

/**
 * The response to a request, for a middleware to say what is to be done to it. However many say something, in whatever
 * order, it is tapped once: the tag must be known before the coding is, and the coding before a condition is judged.
 */
export function getResponseState(req: IncomingMessage, res: ServerResponse): ResponseState {
  const existing = outgoing.get(res)
  if (existing) return existing
  const out: ResponseState = { req, res }
  outgoing.set(res, out)
  tapResponse(out)
  return out
}

function tapResponse(out: ResponseState): void {
  const { req, res } = out
  const isHead = req.method === 'HEAD'
  const sent = isHead ? watchSend(res) : undefined
  let plan: ResponsePlan | undefined
  let coder: StreamEncoder | undefined
  const coderFor = (coding: ContentEncoding, onward: DownstreamResponse): StreamEncoder => {
    coder ??= streamEncoder(coding, res, onward, isLive(res), out.coding?.tuning)
    return coder
  }
  const interceptor: Required<ResponseInterceptor> = {
    late: true,
    head(whole, last) {
      varyByCoding(out)
      // A whole body is there when `end` decides; HEAD sends none, and what is streamed is not there yet. What others
      // put before us may change the body of GET alone.
      const body = isHead && res.end === end ? (last ?? sent?.()) : undefined
      if (!whole || isHead)
        plan = planResponse(out, body?.length ?? getAnnouncedSize(res), findStem(out, hashBody(out, body)))
    },
    write(chunk, onward) {
      if (plan?.isReplaced) return true
      return plan?.coding ? coderFor(plan.coding, onward).write(chunk) : onward.write(chunk)
    },
    end(last, onward) {
      if (plan === undefined && !res.headersSent) sendWhole(out, last, onward)
      else if (plan?.isReplaced) onward.end(plan.body)
      else if (plan?.coding) coderFor(plan.coding, onward).end(last)
      else onward.end(last)
    },
  }
  interceptResponse(req, res, interceptor)
  const { end } = res
  Object.assign(res, { flush: () => coder?.flush() })
}

function sendWhole(out: ResponseState, body: Buffer | undefined, onward: DownstreamResponse): void {
  const { res } = out
  const hash = hashBody(out, body)
  const { isReplaced, coding, body: instead } = planResponse(out, body?.length ?? 0, findStem(out, hash))
  if (isReplaced) return onward.end(instead)
  if (coding === undefined || body === undefined) return onward.end(body)
  const send = (error: Error | null, coded: Buffer): void => {
    if (error) return void res.destroy(error)
    const { isChunked = false } = out.coding ?? {}
    if (!isChunked) res.setHeader('Content-Length', coded.length)
    const pass = (): void => {
      if (isChunked) onward.write(coded)
      onward.end(isChunked ? undefined : coded)
    }
    attempt(pass, () => res.destroy())
  }
  compressBody(body, coding, hash, send, out.coding?.tuning)
}
