import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

// INTERNAL_ERROR of RFC 9113 §7. A stream of HTTP/2 that is closed without a code looks complete.
const INTERNAL_ERROR = 2

/** Whether the client has disconnected. */
export function isDisconnected(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}

/**
 * Closes the connection or stream of a response that cannot be completed, so that the client
 * notices.
 */
export function abort(res: ServerResponse): void {
  const { stream } = res as { stream?: { close(code: number): void } }
  if (stream) stream.close(INTERNAL_ERROR)
  else res.destroy()
}
