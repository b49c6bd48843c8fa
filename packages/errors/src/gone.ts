import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/** Whether there is nobody left to answer. */
export function isGone(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || res.socket?.destroyed === true || (req.destroyed && !req.complete)
}
