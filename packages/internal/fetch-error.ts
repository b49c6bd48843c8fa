import type { HttpErrorLike } from './http-error.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { toErrorRecord } from './record.ts'

/**
 * Response to a rejected request on a Fetch host. `'json'` returns a JSON error record. `'throw'`
 * throws the error, for example to `errors()` of @svc/errors/fetch. A function returns the
 * response.
 */
export type OnRefusedFetch = 'json' | 'throw' | ((error: HttpErrorLike, request: Request) => MaybePromise<Response>)

/** Returns the response to a rejected request, or throws the error. */
export function refuseFetch(
  error: HttpErrorLike,
  request: Request,
  onRefused: OnRefusedFetch = 'json',
): MaybePromise<Response> {
  if (onRefused === 'throw') throw error
  return typeof onRefused === 'function' ? onRefused(error, request) : toErrorResponse(error, request)
}

/** Returns an error as a JSON error record. */
function toErrorResponse(error: HttpErrorLike, request: Request): Response {
  const headers = new Headers(error.headers)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('Content-Type', 'application/json; charset=utf-8')
  headers.set('X-Content-Type-Options', 'nosniff')
  const record = toErrorRecord({ url: new URL(request.url).pathname }, error)
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(record), { status: error.status, headers })
}

/**
 * Returns a response with more headers. Those of `fetch()` are immutable, so the response is built
 * again. An upgrade to WebSocket and a network error cannot be built again; on Bun, a handler
 * returns no response after an upgrade.
 */
export function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  if (!response || response.status === 101 || response.status === 0) return response
  const all = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers: all })
}
