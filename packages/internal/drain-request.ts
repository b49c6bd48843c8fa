import type { Http2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { IncomingMessage, ServerResponse } from './middleware.ts'

const READ_BYTES = 1024 * 1024
const READ_MS = 1000
const LINGER_MS = 1000
const NO_ERROR = 0 // of HTTP/2; node:http2 is not loaded for one number

const TAKEN = Symbol.for('svc.body-taken')

/**
 * Takes the body of a request if all of it has arrived, at a fraction of the cost of the events of
 * a stream. node:http sets `complete` only later. Returns `undefined` if it has not.
 */
export function takeBody(req: IncomingMessage, length: number): Uint8Array | undefined {
  if (length === 0 || req.readableLength !== length) return undefined
  const bytes: unknown = req.read()
  if (!(bytes instanceof Uint8Array)) return undefined
  // Without a reader the request would not end.
  if (!req.readableEnded) req.resume()
  ;(req as { [TAKEN]?: true })[TAKEN] = true
  return bytes
}

/**
 * Reads the rest of an unwanted body, within limits, so that the connection can be reused. If more
 * may come, the response gets `Connection: close`, and the connection is half closed for a while.
 * Closing it with unread bytes would reset it: the reset overtakes the response, and a proxy
 * upstream returns 502 (RFC 9112 §9.6). Call it before the headers are sent.
 */
export function drainRequest(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || (req as { [TAKEN]?: true })[TAKEN]) return
  const announced = bytesAnnounced(req)
  if (announced === 0) return
  const { socket } = req
  const { stream } = req as { stream?: Http2Stream }
  if (announced > READ_BYTES && !stream) {
    res.shouldKeepAlive = false
    // node:http calls `destroySoon` after a response with `Connection: close`, which would close
    // immediately.
    const destroySoon = (): void => lingeringClose(socket)
    socket.destroySoon = destroySoon // not the function itself: see intercept-response.ts
  }
  let left = READ_BYTES
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) stop()
  }
  const stop = (): void => {
    clearTimeout(timer)
    req.off('data', count).pause()
    // HTTP/2 closes no connection: the rest of the stream is canceled (RFC 9113 §8.1).
    if (stream) return stream.close(NO_ERROR)
    if (res.writableFinished) lingeringClose(socket)
    else res.once('finish', () => lingeringClose(socket))
  }
  const timer = setTimeout(stop, READ_MS).unref()
  // An earlier reader may have paused the request, and no longer listens for its errors.
  req
    .on('error', () => {})
    .on('data', count)
    .resume()
  req.once('close', () => clearTimeout(timer))
  req.once('end', () => clearTimeout(timer))
}

// A request without either header has no body (RFC 9112 §6.3), although node:http sets `complete`
// only later.
function bytesAnnounced({ headers, httpVersionMajor }: IncomingMessage): number {
  const isChunked = headers['transfer-encoding'] !== undefined || httpVersionMajor > 1
  return isChunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0)
}

/**
 * Closes the sending side of a connection, and the rest after a delay, so that the client can read
 * the response.
 */
export function lingeringClose(socket: Duplex): void {
  if (socket.writableEnded) return
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
