import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/** Whether there is nobody left to answer. */
export function isGone(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}

/** Closes a connection whose answer cannot be made whole. A response of HTTP/2 has its stream for that. */
export function cut(res: ServerResponse): void {
  const { stream = res } = res as { stream?: { destroy(): unknown } }
  stream.destroy()
}
