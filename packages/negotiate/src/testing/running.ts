import type { ServerResponse } from 'node:http'
import * as zlib from 'node:zlib'
import { type NegotiateOptions, negotiate } from '@svc/negotiate'
import type { IncomingMessage } from '../../../internal/middleware.ts'
import { type Answer, send } from '../../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen, type Pipeline } from '../../../internal/testing/hosts.ts'

export const TEXT = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `Employee ${id}` })))
export const LARGE = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id })))
export const json = 'application/json'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

export const sendWhole: Handler = (_req, res) => {
  res.setHeader('Content-Type', json)
  res.end(TEXT)
}

/** Starts a host with these middleware functions before its handler. */
export async function serving<T>(host: string, pipeline: Pipeline, use: (url: string) => Promise<T>): Promise<T> {
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await use(url)
  } finally {
    await close()
  }
}

/** Starts a host with `negotiate()` before its handler. */
export function running<T>(
  host: string,
  handler: Handler,
  options: NegotiateOptions,
  use: (url: string) => Promise<T>,
  onError?: Pipeline['onError'],
): Promise<T> {
  return serving(host, { middlewares: [negotiate(options)], handler, ...(onError && { onError }) }, use)
}

/** Returns a function that sends one request to such a host. */
export function asking(
  host: string,
): (
  handler: Handler,
  headers?: Record<string, string>,
  method?: string,
  options?: NegotiateOptions,
) => Promise<Answer> {
  return (handler, headers = {}, method = 'GET', options = {}) =>
    running(host, handler, options, (url) => send(url, { headers, method }))
}

const decoders: Record<string, ((bytes: Buffer) => Buffer) | undefined> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  zstd: zlib.zstdDecompressSync, // undefined if this Node.js does not support it
}

/** The encodings that this Node.js supports. */
export const codings = Object.keys(decoders).filter((coding) => decoders[coding])

/** Returns the decoded body of a response as text. */
export function toText({ headers, body }: Answer): string {
  return (decoders[headers['content-encoding'] ?? '']?.(body) ?? body).toString()
}
