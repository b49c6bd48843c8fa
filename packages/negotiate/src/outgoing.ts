import {
  type DownstreamResponse,
  interceptResponse,
  type ResponseInterceptor,
} from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { requestFact } from '../../internal/request-fact.ts'
import { attempt } from './attempt.ts'
import type { Verdict } from './choice.ts'
import { codeBody } from './code-body.ts'
import type { Coding, Tuning } from './coding.ts'
import { hashOf, isLive, type Plan, settle, sizeOf, stemOf, varyByCoding } from './outgoing-plan.ts'
import { watchSend } from './sent-body.ts'
import { type StreamCoder, streamCoder } from './stream-coder.ts'

/** How the response to one request is coded. */
export interface OutgoingCoding {
  readonly minBytes: number
  /** Whether a response is worth a coding. */
  readonly compressible: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly tuning?: Tuning | undefined
  /** What the client says about the codings. */
  readonly verdict: Verdict
}

/** How it is tagged and which conditions are answered. */
export interface OutgoingTags {
  /** Of which kind the tags are that are made where the app made none. */
  readonly etag: 'strong' | 'weak' | false
  /** Whether the conditions of a method that changes nothing are answered. */
  readonly conditional: boolean
}

/** One response of the app on its way out, and what is to be done to it. */
export interface Outgoing {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  coding?: OutgoingCoding
  tags?: OutgoingTags
}

const outgoing = requestFact<Outgoing>('negotiate.outgoing')

/**
 * The response to a request, for a middleware to say what is to be done to it. However many say something, in whatever
 * order, it is tapped once: the tag must be known before the coding is, and the coding before a condition is judged.
 */
export function outgoingOf(req: IncomingMessage, res: ServerResponse): Outgoing {
  const known = outgoing.get(res)
  if (known) return known
  const out: Outgoing = { req, res }
  outgoing.set(res, out)
  tapResponse(out)
  return out
}

function tapResponse(out: Outgoing): void {
  const { req, res } = out
  const isHead = req.method === 'HEAD'
  const sent = isHead ? watchSend(res) : undefined
  let plan: Plan | undefined
  let coder: StreamCoder | undefined
  const coderFor = (coding: Coding, onward: DownstreamResponse): StreamCoder => {
    coder ??= streamCoder(coding, res, onward, isLive(res), out.coding?.tuning)
    return coder
  }
  const own: Required<ResponseInterceptor> = {
    late: true,
    head(whole, last) {
      varyByCoding(out)
      // A whole body is there when `end` decides; HEAD sends none, and what is streamed is not there yet. What others
      // put before us may change the body of GET alone.
      const body = isHead && res.end === end ? (last ?? sent?.()) : undefined
      if (!whole || isHead) plan = settle(out, body?.length ?? sizeOf(res), stemOf(out, hashOf(out, body)))
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
  interceptResponse(req, res, own)
  const { end } = res
  Object.assign(res, { flush: () => coder?.flush() })
}

function sendWhole(out: Outgoing, body: Buffer | undefined, onward: DownstreamResponse): void {
  const { res } = out
  const hash = hashOf(out, body)
  const { isReplaced, coding, body: instead } = settle(out, body?.length ?? 0, stemOf(out, hash))
  if (isReplaced) return onward.end(instead)
  if (coding === undefined || body === undefined) return onward.end(body)
  const send = (error: Error | null, coded: Buffer): void => {
    if (error) return void res.destroy(error)
    res.setHeader('Content-Length', coded.length)
    attempt(
      () => onward.end(coded),
      () => res.destroy(),
    )
  }
  codeBody(body, coding, hash, send, out.coding?.tuning)
}
