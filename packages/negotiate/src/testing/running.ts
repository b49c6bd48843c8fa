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

/** Asks a host with these middlewares before its handler. */
export async function serving<T>(host: string, pipeline: Pipeline, use: (url: string) => Promise<T>): Promise<T> {
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await use(url)
  } finally {
    await close()
  }
}

/** Asks a host whose responses `negotiate` makes right. */
export function running<T>(
  host: string,
  handler: Handler,
  options: NegotiateOptions,
  use: (url: string) => Promise<T>,
  onError?: Pipeline['onError'],
): Promise<T> {
  return serving(host, { middlewares: [negotiate(options)], handler, ...(onError && { onError }) }, use)
}

/** A function that sends one request to such a host. */
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
  zstd: zlib.zstdDecompressSync, // undefined where this Node has none
}

/** The codings that this Node has. */
export const codings = Object.keys(decoders).filter((coding) => decoders[coding])

/** The body of an answer as it was before it was coded. */
export function toText({ headers, body }: Answer): string {
  return (decoders[headers['content-encoding'] ?? '']?.(body) ?? body).toString()
}
