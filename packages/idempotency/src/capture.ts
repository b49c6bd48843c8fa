import type { HttpErrorLike } from '../../internal/http-error.ts'
import { type BodyEnd, type DownstreamResponse, interceptResponse } from '../../internal/intercept-response.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { toBuffer } from '../../internal/response-state.ts'
import { type RecordingOptions, recordResponse } from './recording.ts'
import type { StoredResponse } from './response.ts'

/** A response that is complete, except that its end has not been sent. */
export interface CapturedResponse {
  response: StoredResponse
  /** Whether it stopped in the middle: its client disconnected. */
  isCut: boolean
  /** Sends the end. */
  send(): void
  /**
   * Replaces the response by an error, if nothing of it has been sent: calls `fail` of the options.
   */
  fail(error: HttpErrorLike): void
}

export interface CaptureOptions extends RecordingOptions {
  /** Called once, when the response is complete. */
  onComplete: (captured: CapturedResponse) => void
  /** Responds with an error instead. */
  fail: (error: HttpErrorLike) => void
}

// A client that disconnects in the middle of a piped stream: the stream stops, and its end never
// comes. Whatever continues to write is still running, and its end is worth waiting for.
const CUT_AFTER_MS = 5000

/**
 * Intercepts a response on its way to the client, and holds back its end until `send` is called.
 */
export function capture(req: IncomingMessage, res: ServerResponse, options: CaptureOptions): void {
  const { hold, onComplete, fail } = options
  const removeLaterHeaders = snapshotHeaders(res)
  const recorded = recordResponse(res, options)
  let isWritten = false
  let isComplete = false
  let cutting: NodeJS.Timeout | undefined

  const end = (last: BodyEnd, onward: DownstreamResponse): CapturedResponse => ({
    response: recorded.response(true),
    isCut: false,
    send: () => onward.end(hold ? recorded.bytes() : last),
    fail(error) {
      if (isWritten) return onward.end(last)
      onward.reopen()
      if (res.headersSent) return void res.destroy()
      removeLaterHeaders()
      if (req.httpVersionMajor < 2) res.statusMessage = ''
      fail(error)
    },
  })
  interceptResponse(req, res, {
    // Until something is sent, `fail` can respond with an error.
    late: true,
    ignoreFlush: hold,
    head: recorded.head,
    write(chunk, onward) {
      recorded.add(chunk)
      cutting?.refresh()
      if (hold) return true
      isWritten = true
      return onward.write(chunk)
    },
    end(last, onward) {
      if (last) recorded.add(toBuffer(last))
      if (isComplete) return onward.end(last)
      isComplete = true
      clearTimeout(cutting)
      onComplete(end(last, onward))
    },
  })
  res.once('close', () => {
    if (isComplete || !res.headersSent) return
    const cut = (): void => {
      isComplete = true
      onComplete({ response: recorded.response(false), isCut: true, send: () => {}, fail: () => {} })
    }
    cutting = setTimeout(cut, CUT_AFTER_MS).unref()
  })
}

/** Returns a function that removes the headers that were set after this call. */
function snapshotHeaders(res: ServerResponse): () => void {
  const names = new Set(res.getHeaderNames())
  return () => {
    for (const name of res.getHeaderNames()) if (!names.has(name)) res.removeHeader(name)
  }
}
