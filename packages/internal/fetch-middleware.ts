/** Passes the request on to the next middleware or the handler. */
export type FetchNext = (request: Request) => Response | Promise<Response>

/** Middleware for Fetch hosts: Hono, Bun, Deno, Workers and route handlers. */
export type FetchMiddleware = (request: Request, next: FetchNext) => Promise<Response>
