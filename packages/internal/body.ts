import { createHttpError, type HttpErrorLike } from './http-error.ts'
import type { IncomingMessage } from './middleware.ts'

export interface BodyLimits {
  /** Maximum size of the body on arrival, in bytes. */
  maxBytes: number
  /** Prefix of error codes: `ERR_IDEMPOTENCY`. */
  code: string
}

/**
 * Reads the body of a request once. If a body parser ran before, its `req.rawBody` or `req.body` is
 * used as is. Calls `done` with the bytes or an error: 413 if the body is too large, 400 if the
 * client disconnected.
 */
export function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  done: (error: HttpErrorLike | undefined, body: Buffer) => void,
): void {
  const { maxBytes, code } = limits
  const none = Buffer.alloc(0)
  const early = bytesReadBefore(req)
  const announced = Number(req.headers['content-length'] ?? 0)
  if (early) return done(early.length > maxBytes ? tooLarge(code, maxBytes) : undefined, early)
  if (announced > maxBytes) return done(tooLarge(code, maxBytes), none)
  // `complete` means that the body has arrived, not that it was read.
  if (req.readableEnded) return done(undefined, none)
  if (req.destroyed) return done(cutShort(code), none)

  const chunks: Buffer[] = []
  let size = 0
  const finish = (error: HttpErrorLike | undefined): void => {
    req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
    if (error) req.resume()
    done(error, error ? none : Buffer.concat(chunks, size))
  }
  const onData = (chunk: Buffer): void => {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxBytes) finish(tooLarge(code, maxBytes))
  }
  const onEnd = (): void => finish(undefined)
  const onCut = (): void => finish(cutShort(code))
  req.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut)
}

function bytesReadBefore(req: IncomingMessage): Buffer | undefined {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  for (const read of [rawBody, body]) {
    if (read instanceof Uint8Array) return Buffer.from(read.buffer, read.byteOffset, read.byteLength)
    if (typeof read === 'string') return Buffer.from(read)
  }
  return undefined
}

function tooLarge(code: string, maxBytes: number): HttpErrorLike {
  const message = `The body is larger than ${maxBytes} bytes.`
  return createHttpError({ status: 413, code: `${code}_BODY_TOO_LARGE`, message, params: { maxBytes } })
}

function cutShort(code: string): HttpErrorLike {
  return createHttpError({
    status: 400,
    code: `${code}_BODY_INCOMPLETE`,
    message: 'The body of the request ended early.',
  })
}
