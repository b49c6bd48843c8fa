import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { Onward, Tap } from '../../internal/tap.ts'
import type { Verdict } from './choice.ts'
import type { Coding } from './coding.ts'
import { compress } from './compressed.ts'
import { hashOf, isLive, type Plan, settle, sizeOf, stemOf, varyByCoding } from './outgoing-plan.ts'
import { type StreamCoder, streamCoder } from './stream-coder.ts'

/** What a middleware does to the responses of an ordinary app. */
export interface OutgoingSettings {
  readonly codings: readonly Coding[]
  readonly minBytes: number
  readonly compressible: (type: string) => boolean
  /** Of which kind the tags are that are made where the app made none. */
  readonly etag: 'strong' | 'weak' | false
  readonly conditional: boolean
}

/** One response of the app, and what its client takes. */
export interface Outgoing {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly settings: OutgoingSettings
  readonly codings: Verdict
}

/** The tap that tags, answers conditions and compresses; `flush` sends what the coder holds back. */
export function tapOf(out: Outgoing): Required<Tap> & { flush(): void } {
  const { req, res } = out
  let plan: Plan | undefined
  let coder: StreamCoder | undefined
  const coderFor = (coding: Coding, onward: Onward): StreamCoder => {
    coder ??= streamCoder(coding, res, onward, isLive(res))
    return coder
  }
  return {
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
    flush: () => coder?.flush(),
  }
}

function sendWhole(out: Outgoing, body: Buffer | undefined, onward: Onward): void {
  const { res } = out
  const hash = hashOf(out, body)
  const { isReplaced, coding, body: instead } = settle(out, body?.length ?? 0, stemOf(out, hash))
  if (isReplaced) return onward.end(instead)
  if (coding === undefined || body === undefined) return onward.end(body)
  compress(body, coding, hash, (error, coded) => {
    if (error) return void res.destroy(error)
    res.setHeader('Content-Length', coded.length)
    onward.end(coded)
  })
}
