import type { Failure } from '../../internal/failure.ts'
import { isPromise } from '../../internal/guard.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { type Onward, tap } from '../../internal/tap.ts'
import type { Awaitable } from './chain.ts'
import { decode } from './decode.ts'
import type { FieldPicker } from './fields.ts'
import type { StoredResponse } from './response.ts'

export interface CaptureOptions {
  pick: FieldPicker
  /** An answer with a larger body is kept without it. */
  maxBytes: number
  /** Whether every byte is held back until the answer is settled, instead of the last ones alone. */
  hold: boolean
  /** Keeps the answer, or not. An error that it gives takes the place of the answer. */
  settle: (response: StoredResponse, isCut: boolean) => Awaitable<Failure | undefined>
  /** Answers with an error instead. */
  fail: (error: Failure) => void
}

// A client that went away in the middle of a piped stream: the stream stops, and its end never comes.
const CUT_AFTER_MS = 5000

/** Sees a response pass on its way to the client, and lets go of its end when what a retry needs is settled. */
export function capture(req: IncomingMessage, res: ServerResponse, options: CaptureOptions): void {
  const { pick, maxBytes, hold, settle, fail } = options
  const untapped = untap(res)
  const chunks: Buffer[] = []
  let fields: StoredResponse['fields'] | undefined
  let coding: unknown
  let size = 0
  let isWritten = false
  let isSettled = false

  const add = (chunk: Buffer): void => {
    size += chunk.length
    if (hold || size <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  const stored = (body: Buffer | undefined): StoredResponse => {
    const plain = body && decode(body, coding, maxBytes)
    return { status: res.statusCode, fields: fields ?? [], body: plain && plain.length <= maxBytes ? plain : undefined }
  }
  const finish = (error: Failure | undefined, last: Buffer | undefined, onward: Onward): void => {
    if (!error || isWritten) return onward.end(hold && !error ? joined(chunks, size) : last)
    if (res.headersSent) return void res.destroy()
    untapped()
    fail(error)
  }
  tap(req, res, {
    head() {
      fields = pick(res)
      coding = res.getHeader('Content-Encoding')
    },
    write(chunk, onward) {
      add(chunk)
      if (hold) return true
      isWritten = true
      return onward.write(chunk)
    },
    end(last, onward) {
      if (last) add(last)
      if (isSettled) return onward.end(last)
      isSettled = true
      const settled = settle(stored(size <= maxBytes ? joined(chunks, size) : undefined), false)
      if (isPromise(settled)) settled.then((error) => finish(error, last, onward))
      else finish(settled, last, onward)
    },
  })
  res.once('close', () => {
    if (isSettled || !fields) return
    const cut = (): void => {
      if (isSettled) return
      isSettled = true
      settle(stored(undefined), true)
    }
    setTimeout(cut, CUT_AFTER_MS).unref()
  })
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [first] = chunks
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size)
}

/** Remembers a response as it is now; the function puts it back: what was tapped, and the fields set since. */
function untap(res: ServerResponse): () => void {
  const { writeHead, write, end, flushHeaders } = res
  const names = new Set(res.getHeaderNames())
  return () => {
    Object.assign(res, { writeHead, write, end, flushHeaders })
    for (const name of res.getHeaderNames()) if (!names.has(name)) res.removeHeader(name)
  }
}
