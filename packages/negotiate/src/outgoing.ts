import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { type Onward, type Tap, tap } from '../../internal/tap.ts'
import { attempt } from './attempt.ts'
import type { Verdict } from './choice.ts'
import type { Coding, Tuning } from './coding.ts'
import { compress } from './compressed.ts'
import { hashOf, isLive, type Plan, settle, sizeOf, stemOf, varyByCoding } from './outgoing-plan.ts'
import { type StreamCoder, streamCoder } from './stream-coder.ts'

/** What a middleware does to the responses of an ordinary app. */
export interface OutgoingSettings {
  readonly codings: readonly Coding[]
  readonly minBytes: number
  /** Whether a response is worth a coding. */
  readonly compressible: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly tuning?: Tuning | undefined
  /** Of which kind the tags are that are made where the app made none. */
  readonly etag: 'strong' | 'weak' | false
  /** Which conditions are answered: all of a method that changes nothing, or `If-None-Match` alone. */
  readonly conditional: boolean | 'tags'
}

/** One response of the app, and what its client takes. */
export interface Outgoing {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly settings: OutgoingSettings
  readonly codings: Verdict
}

/** Tags, answers conditions and compresses; `res.flush()` sends what the coder holds back. */
export function tapResponse(out: Outgoing): void {
  const { req, res, settings } = out
  let plan: Plan | undefined
  let coder: StreamCoder | undefined
  const coderFor = (coding: Coding, onward: Onward): StreamCoder => {
    coder ??= streamCoder(coding, res, onward, isLive(res), settings.tuning)
    return coder
  }
  const own: Required<Tap> = {
    late: true,
    head(whole) {
      varyByCoding(out)
      // A whole body is there when `end` decides; HEAD has none, and what is streamed is not there yet.
      if (!whole || req.method === 'HEAD') plan = settle(out, sizeOf(res), stemOf(out, undefined))
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
  tap(req, res, own)
  Object.assign(res, { flush: () => coder?.flush() })
}

function sendWhole(out: Outgoing, body: Buffer | undefined, onward: Onward): void {
  const { res, settings } = out
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
  compress(body, coding, hash, send, settings.tuning)
}
