/** Passes the request on to the next middleware or the handler. */
export type FetchNext = (request: Request) => Response | Promise<Response>

/** A middleware of hosts that work with Fetch: Hono, Bun, Deno, Workers and route handlers. */
export type FetchMiddleware = (request: Request, next: FetchNext) => Promise<Response>
