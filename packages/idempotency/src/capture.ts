import { isPromise } from '../../internal/guard.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { tap } from '../../internal/tap.ts'
import type { Awaitable } from './chain.ts'
import { pickFields } from './fields.ts'
import type { StoredResponse } from './response.ts'

export interface CaptureOptions {
  fields: readonly string[]
  maxResponseBytes: number
}

/** Sees a response pass, and holds back its end until `keep` has what a retry needs. */
export function capture(
  req: IncomingMessage,
  res: ServerResponse,
  { fields, maxResponseBytes }: CaptureOptions,
  keep: (response: StoredResponse) => Awaitable<void>,
): void {
  let stored: StoredResponse['fields'] = []
  let chunks: Buffer[] | undefined = []
  let size = 0
  const add = (chunk: Buffer): void => {
    size += chunk.length
    if (size > maxResponseBytes) chunks = undefined
    else chunks?.push(chunk)
  }
  tap(req, res, {
    head() {
      stored = pickFields(res, fields)
    },
    write(chunk, onward) {
      add(chunk)
      return onward.write(chunk)
    },
    end(last, onward) {
      if (last) add(last)
      const body = chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))
      const kept = keep({ status: res.statusCode, fields: stored, body })
      if (isPromise(kept)) kept.then(() => onward.end(last))
      else onward.end(last)
    },
  })
}
