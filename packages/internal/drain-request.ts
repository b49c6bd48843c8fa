import type { Http2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { IncomingMessage, ServerResponse } from './middleware.ts'

const READ_BYTES = 1024 * 1024
const READ_MS = 1000
const LINGER_MS = 1000
const NO_ERROR = 0 // of HTTP/2; node:http2 is not loaded for one number

/**
 * Reads what is left of a body that nobody wants, within bounds, so that the connection can be kept. Where more may
 * come the answer says `Connection: close`, and the connection is half closed and left alone for a moment: closing it
 * with bytes unread resets it, the reset overtakes the answer, and a proxy in front makes 502 of it (RFC 9112 9.6).
 * Call it before the head of the answer is written.
 */
export function drainRequest(req: IncomingMessage, res: ServerResponse): void {
  const announced = bytesAnnounced(req)
  if (req.complete || announced === 0) return
  const { socket } = req
  const { stream } = req as { stream?: Http2Stream }
  if (announced > READ_BYTES && !stream) {
    res.shouldKeepAlive = false
    // What node:http calls behind an answer with `Connection: close`; its own closes at once.
    socket.destroySoon = () => lingeringClose(socket)
  }
  let left = READ_BYTES
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) stop()
  }
  const stop = (): void => {
    clearTimeout(timer)
    req.off('data', count).pause()
    // HTTP/2 needs no connection to be closed: the rest of one stream is canceled (RFC 9113 §8.1).
    if (stream) return stream.close(NO_ERROR)
    if (res.writableFinished) lingeringClose(socket)
    else res.once('finish', () => lingeringClose(socket))
  }
  const timer = setTimeout(stop, READ_MS).unref()
  // A reader may have paused it before, and no longer listens for its errors.
  req
    .on('error', () => {})
    .on('data', count)
    .resume()
  req.once('close', () => clearTimeout(timer))
  req.once('end', () => clearTimeout(timer))
}

// A request without either field has no body (RFC 9112 6.3), although node:http calls it complete only later.
function bytesAnnounced({ headers, httpVersionMajor }: IncomingMessage): number {
  const isChunked = headers['transfer-encoding'] !== undefined || httpVersionMajor > 1
  return isChunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0)
}

/** Ends the sending side of a connection now, and the rest of it a moment later, so that the client can read all. */
export function lingeringClose(socket: Duplex): void {
  if (socket.writableEnded) return
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
