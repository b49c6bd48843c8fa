import { isPromise } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { type DownstreamResponse, interceptResponse } from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { Awaitable } from './chain.ts'
import { type RecordingOptions, recording } from './recording.ts'
import type { StoredResponse } from './response.ts'

export interface CaptureOptions extends RecordingOptions {
  /** Keeps the answer, or not. An error that it gives takes the place of the answer. */
  settle: (response: StoredResponse, isCut: boolean) => Awaitable<HttpErrorLike | undefined>
  /** Answers with an error instead. */
  fail: (error: HttpErrorLike) => void
}

// A client that went away in the middle of a piped stream: the stream stops, and its end never comes. What goes on
// writing is at work, and its end is worth waiting for.
const CUT_AFTER_MS = 5000

/** Sees a response pass on its way to the client, and lets go of its end when what a retry needs is settled. */
export function capture(req: IncomingMessage, res: ServerResponse, options: CaptureOptions): void {
  const { hold, settle, fail } = options
  const withoutLaterFields = remember(res)
  const seen = recording(res, options)
  let isWritten = false
  let isSettled = false
  let cutting: NodeJS.Timeout | undefined

  const finish = (error: HttpErrorLike | undefined, last: Buffer | undefined, onward: DownstreamResponse): void => {
    if (!error || isWritten) return onward.end(hold && !error ? seen.bytes() : last)
    onward.reopen()
    if (res.headersSent) return void res.destroy()
    withoutLaterFields()
    fail(error)
  }
  interceptResponse(req, res, {
    head: seen.head,
    write(chunk, onward) {
      seen.add(chunk)
      cutting?.refresh()
      if (hold) return true
      isWritten = true
      return onward.write(chunk)
    },
    end(last, onward) {
      if (last) seen.add(last)
      if (isSettled) return onward.end(last)
      isSettled = true
      clearTimeout(cutting)
      const settled = settle(seen.response(true), false)
      if (isPromise(settled)) settled.then((error) => finish(error, last, onward))
      else finish(settled, last, onward)
    },
  })
  res.once('close', () => {
    if (isSettled || !seen.hasHead()) return
    const cut = (): void => {
      if (isSettled) return
      isSettled = true
      settle(seen.response(false), true)
    }
    cutting = setTimeout(cut, CUT_AFTER_MS).unref()
  })
}

/** Remembers which fields a response has now; the function removes those that were set since. */
function remember(res: ServerResponse): () => void {
  const names = new Set(res.getHeaderNames())
  return () => {
    for (const name of res.getHeaderNames()) if (!names.has(name)) res.removeHeader(name)
  }
}
