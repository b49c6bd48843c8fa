import type { Middleware, PreparedRepresentation, Representation } from '@svc/negotiate'
import type { MaybePromise } from '@svc/ratelimit'
import type { RequestState } from './request-state.ts'

/**
 * A response as a value: content that is negotiated, revalidated and compressed when it is sent, content that was
 * prepared before with the headers of the service and of its version, a head without content, or middleware that ends
 * the response itself. Each gets the headers of the request state.
 */
export type Reply =
  | { readonly representation: Representation }
  | { readonly prepared: PreparedRepresentation }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly middleware: Middleware }

/**
 * One step of a request. It throws to reject the request, returns a reply to respond, or returns nothing to continue with
 * the next stage. It returns a promise only if it waits.
 */
export type Stage = (state: RequestState) => MaybePromise<Reply | undefined>
