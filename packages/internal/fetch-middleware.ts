/** Passes the request on to the next middleware or the handler. */
export type FetchNext = (request: Request) => Response | Promise<Response>

/** Middleware for Fetch hosts: Hono, Bun, Deno, Workers and route handlers. */
export type FetchMiddleware = (request: Request, next: FetchNext) => Promise<Response>

/** Copies the facts of `requestFact()` to the request that a handler gets instead. */
export function copyFacts(from: Request, to: Request): Request {
  for (const key of Object.getOwnPropertySymbols(from))
    if (Symbol.keyFor(key)?.startsWith('svc.')) Reflect.set(to, key, Reflect.get(from, key))
  return to
}
