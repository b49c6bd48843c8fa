import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

// RFC 9113 §7. A stream of HTTP/2 that ends without a code looks whole.
const INTERNAL_ERROR = 2

/** Whether the client has disconnected. */
export function isGone(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}

/** Closes the connection of a response that cannot be completed, so that the client notices. */
export function abort(res: ServerResponse): void {
  const { stream } = res as { stream?: { close(code: number): void } }
  if (stream) stream.close(INTERNAL_ERROR)
  else res.destroy()
}
