import type { IncomingMessage, Middleware, ServerResponse } from '../../../../packages/internal/middleware.ts'

/** Looks at a request and its answer when the answer is out, or the client gone. */
export type Observer = (req: IncomingMessage, res: ServerResponse) => void

/** Calls the observers of every request when it is over. */
export function whenOver(...observers: readonly Observer[]): Middleware {
  return (req, res, next) => {
    res.once('close', () => {
      for (const observe of observers) observe(req, res)
    })
    next()
  }
}
