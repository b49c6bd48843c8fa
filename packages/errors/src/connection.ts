import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

// INTERNAL_ERROR of RFC 9113 §7. A stream of HTTP/2 that is closed without a code looks complete.
const INTERNAL_ERROR = 2

/** A response over HTTP/2, which has no `destroyed`. */
interface Http2Response {
  stream?: { destroyed: boolean; close(code: number): void }
}

/**
 * Whether the client has disconnected before the response was complete. Over HTTP/2 the stream of a
 * complete response is destroyed as well, so check `writableEnded` first.
 */
export function isDisconnected(req: IncomingMessage, res: ServerResponse): boolean {
  const { stream } = res as Http2Response
  if (stream?.destroyed) return true
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}

/**
 * Closes the connection or stream of a response that cannot be completed, so that the client
 * notices.
 */
export function abort(res: ServerResponse): void {
  const { stream } = res as Http2Response
  if (stream) stream.close(INTERNAL_ERROR)
  else res.destroy()
}
