import type { ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type NegotiateOptions, negotiate } from '@svc/negotiate'
import type { IncomingMessage } from '../../../internal/middleware.ts'
import type { Answer } from '../../../internal/testing/check.ts'
import { hosts, listen, type Pipeline } from '../../../internal/testing/hosts.ts'

export const TEXT = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `Employee ${id}` })))
export const json = 'application/json'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

export const sendWhole: Handler = (_req, res) => {
  res.setHeader('Content-Type', json)
  res.end(TEXT)
}

/** Asks a host whose responses `negotiate` makes right. */
export async function running<T>(
  host: string,
  handler: Handler,
  options: NegotiateOptions,
  use: (url: string) => Promise<T>,
  onError?: Pipeline['onError'],
): Promise<T> {
  const pipeline: Pipeline = { middlewares: [negotiate(options)], handler, ...(onError && { onError }) }
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await use(url)
  } finally {
    await close()
  }
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
}

/** The body of an answer as it was before it was coded. */
export function textOf({ headers, body }: Answer): string {
  return (decoders[headers['content-encoding'] ?? '']?.(body) ?? body).toString()
}
