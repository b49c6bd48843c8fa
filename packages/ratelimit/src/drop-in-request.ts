import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/**
 * A request of an Express app: that of `node:http`, and properties that Express adds. Others, such
 * as `body` and `user`, need the type of the app: `rateLimit<Request, Response>(…)`.
 */
export interface DropInRequest extends IncomingMessage {
  /** Address of the client, by the setting `trust proxy`. */
  ip?: string | undefined
  /** Addresses in X-Forwarded-For that are trusted. */
  ips: string[]
  /** Method of the request. */
  method: string
  /** Target, as the routers of the app have rewritten it. */
  url: string
  /** Target as the client sent it. */
  originalUrl: string
  /** Path on which the router is mounted. */
  baseUrl: string
  /** Path of the target, without its query. */
  path: string
  /** Host of the request, without its port. */
  hostname: string
  /** Protocol of the request: `http` or `https`. */
  protocol: string
  /** Whether the protocol is `https`. */
  secure: boolean
  /** Returns a header of the request. */
  get(name: string): string | undefined
}

/** A response of an Express app: that of `node:http`, and methods that Express adds. */
export interface DropInResponse extends ServerResponse {
  /** Sets the status. */
  status(code: number): this
  /** Sends text, bytes, or an object as JSON. */
  send(body?: unknown): this
  /** Sends a value as JSON. */
  json(body?: unknown): this
}
