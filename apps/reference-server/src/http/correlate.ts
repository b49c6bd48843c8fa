import type { Middleware } from '@svc/negotiate'
import { RequestState } from '../engine/request-state.ts'

/** First of all: creates the state of the request, with the headers of every response. */
export function correlate(headers: Readonly<Record<string, string>>): Middleware {
  return (req, res, next) => {
    new RequestState(req, res, headers)
    next()
  }
}
