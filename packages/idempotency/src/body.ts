import { AsyncResource } from 'node:async_hooks'
import { inspect } from 'node:util'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { bodyConsumed, bodyIncomplete, bodyTooLarge } from './errors.ts'
import { readUploads } from './uploads.ts'

const EMPTY = Buffer.alloc(0)

export interface BodyOptions {
  maxBytes: number
  /** Policy for a body that was consumed before and left nothing to compare. */
  consumed: 'reject' | 'empty'
}

/**
 * Reads the body of a request and puts it back for the body parser after it. If a parser before
 * left `rawBody`, `body`, `file` or `files`, these are used instead: bytes and strings as is, a
 * parsed value as JSON.
 */
export function peekBody(
  req: IncomingMessage,
  { maxBytes, consumed }: BodyOptions,
  done: (error: HttpErrorLike | undefined, body: Uint8Array | string) => void,
): void {
  const parsed = findParsedBody(req)
  if (parsed === 'consumed') return done(consumed === 'reject' ? bodyConsumed() : undefined, EMPTY)
  if (parsed) return done(undefined, parsed.body)
  const length = Number(req.headers['content-length'] ?? 0)
  if (length > maxBytes) return done(bodyTooLarge(maxBytes), EMPTY)
  if (req.httpVersionMajor < 2 && hasNoBody(req)) return done(undefined, EMPTY)
  const collect = (): void => collectBody(req, maxBytes, done)
  // The end of a body without a length may have arrived with the headers, and is parsed first.
  if (length > 0) collect()
  else process.nextTick(collect)
}

// An empty body is not read: its `end` would be emitted before the handler listens.
function collectBody(
  req: IncomingMessage,
  maxBytes: number,
  done: (error: HttpErrorLike | undefined, body: Uint8Array) => void,
): void {
  if (hasArrived(req) && req.readableLength === 0) return done(undefined, EMPTY)
  // The events of a request have the context of its connection, not that of the middleware before.
  const context = new AsyncResource('IdempotencyBody')
  const chunks: Buffer[] = []
  let size = 0
  const finish = (error: HttpErrorLike | undefined): void => {
    req.off('readable', onReadable).off('end', onEnd).off('error', onCut).off('close', onCut)
    const body = error ? EMPTY : Buffer.concat(chunks, size)
    if (body.length > 0 && !req.readableEnded) req.unshift(body)
    if (error) req.resume()
    context.runInAsyncScope(done, undefined, error, body)
  }
  // The last `read` and `unshift` are in one tick: the stream has not ended yet, and accepts the
  // bytes.
  const onReadable = (): void => {
    while (req.readableLength > 0) {
      const chunk: Buffer = req.read()
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) return finish(bodyTooLarge(maxBytes))
    }
    if (hasArrived(req)) finish(undefined)
  }
  const onEnd = (): void => finish(undefined)
  const onCut = (): void => finish(bodyIncomplete())
  req.on('readable', onReadable).once('end', onEnd).once('error', onCut).once('close', onCut)
}

// Over HTTP/2 `complete` is true only after `end`, when the bytes can no longer be put back.
function hasArrived(req: IncomingMessage): boolean {
  const { stream } = req as { stream?: { readableEnded: boolean } }
  return req.complete || stream?.readableEnded === true
}

function findParsedBody(req: IncomingMessage): { body: Uint8Array | string } | 'consumed' | undefined {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  for (const read of [rawBody, body]) {
    if (read instanceof Uint8Array || typeof read === 'string') return { body: read }
  }
  // A parser without input may leave an empty object, and an unread stream.
  if (!req.readableEnded && !req.readableDidRead) return undefined
  const uploads = readUploads(req)
  if (!uploads) return 'consumed'
  if (uploads.length > 0) return { body: [toText(body ?? null), ...uploads].join('\n') }
  if (body !== undefined && body !== null) return { body: toText(body) }
  return hasNoBody(req) ? { body: EMPTY } : 'consumed'
}

// RFC 9112 §6.3: without both headers, a request has no body.
function hasNoBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && !headers['transfer-encoding']
}

// A BigInt or a cycle has no JSON. Any string will do that is equal for equal bodies only.
function toText(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    const whole = Number.POSITIVE_INFINITY
    return inspect(body, { depth: whole, maxArrayLength: whole, maxStringLength: whole, sorted: true })
  }
}
