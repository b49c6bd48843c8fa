import { inspect } from 'node:util'
import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { readUploads } from './uploads.ts'

const NOTHING = Buffer.alloc(0)

export interface BodyOptions {
  maxBytes: number
  /** What to do about a body that was consumed before, of which nothing is left to compare. */
  consumed: 'reject' | 'empty'
}

/**
 * Reads the body of a request and puts it back, so that a body parser behind reads it again. What a parser before left
 * in `rawBody`, `body`, `file` or `files` is taken instead: bytes and text as they are, a parsed value as JSON.
 */
export function peekBody(
  req: IncomingMessage,
  { maxBytes, consumed }: BodyOptions,
  done: (error: HttpErrorLike | undefined, body: Uint8Array | string) => void,
): void {
  const early = readBefore(req)
  if (early === 'consumed') return done(consumed === 'reject' ? bodyConsumed() : undefined, NOTHING)
  if (early) return done(undefined, early.body)
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return done(bodyTooLarge(maxBytes), NOTHING)
  if (req.readableEnded || (req.complete && req.readableLength === 0)) return done(undefined, NOTHING)

  const chunks: Buffer[] = []
  let size = 0
  const finish = (error: HttpErrorLike | undefined): void => {
    req.off('readable', onReadable).off('end', onEnd).off('error', onCut).off('close', onCut)
    const body = error ? NOTHING : Buffer.concat(chunks, size)
    if (body.length > 0 && !req.readableEnded) req.unshift(body)
    if (error) req.resume()
    done(error, body)
  }
  // The last `read` and `unshift` stand in one tick: the stream has not ended yet, and takes the bytes back.
  const onReadable = (): void => {
    for (let chunk = req.read() as Buffer | null; chunk; chunk = req.read() as Buffer | null) {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) return finish(bodyTooLarge(maxBytes))
    }
    if (hasArrived(req)) finish(undefined)
  }
  const onEnd = (): void => finish(undefined)
  const onCut = (): void => finish(incomplete())
  req.on('readable', onReadable).once('end', onEnd).once('error', onCut).once('close', onCut)
}

// Over HTTP/2 `complete` is true only after `end`, when the bytes cannot be put back any more.
function hasArrived(req: IncomingMessage): boolean {
  const { stream } = req as { stream?: { readableEnded: boolean } }
  return req.complete || stream?.readableEnded === true
}

function readBefore(req: IncomingMessage): { body: Uint8Array | string } | 'consumed' | undefined {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  for (const read of [rawBody, body]) {
    if (read instanceof Uint8Array || typeof read === 'string') return { body: read }
  }
  // A parser that found nothing to read may leave an empty object, and the stream as it was.
  if (!req.readableEnded && !req.readableDidRead) return undefined
  const uploads = readUploads(req)
  if (!uploads) return 'consumed'
  if (uploads.length > 0) return { body: [toText(body ?? null), ...uploads].join('\n') }
  if (body !== undefined && body !== null) return { body: toText(body) }
  const isEmpty = Number(req.headers['content-length'] ?? 0) === 0 && !req.headers['transfer-encoding']
  return isEmpty ? { body: NOTHING } : 'consumed'
}

// BigInt and circles have no JSON. Any text will do that tells two bodies apart and is the same for the same one.
function toText(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    const whole = Number.POSITIVE_INFINITY
    return inspect(body, { depth: whole, maxArrayLength: whole, maxStringLength: whole, sorted: true })
  }
}

/** 413. */
export function bodyTooLarge(maxBytes: number): HttpErrorLike {
  const message = `The body is larger than ${maxBytes} bytes.`
  const headers = { Connection: 'close' }
  return createHttpError({
    status: 413,
    code: 'ERR_IDEMPOTENCY_BODY_TOO_LARGE',
    message,
    headers,
    params: { maxBytes },
  })
}

function incomplete(): HttpErrorLike {
  const message = 'The body of the request ended early.'
  return createHttpError({ status: 400, code: 'ERR_IDEMPOTENCY_BODY_INCOMPLETE', message })
}

// A retry with other content would get the answer to the first, and its own would be lost.
export function bodyConsumed(): HttpErrorLike {
  const message =
    'idempotency: the body was consumed before and is not available for comparison; mount idempotency() before what reads it, or give the option fingerprint'
  return createHttpError({ status: 500, code: 'ERR_IDEMPOTENCY_BODY_CONSUMED', message })
}
