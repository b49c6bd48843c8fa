import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

// RFC 9113 7. A stream of HTTP/2 that ends without a code looks whole.
const INTERNAL_ERROR = 2

/** Whether there is nobody left to answer. */
export function isGone(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}

/** Cuts an answer that cannot be made whole, so that the client sees it. */
export function cut(res: ServerResponse): void {
  const { stream } = res as { stream?: { close(code: number): void } }
  if (stream) stream.close(INTERNAL_ERROR)
  else res.destroy()
}
