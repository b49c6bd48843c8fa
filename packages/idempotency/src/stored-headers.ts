import type { StoredResponse } from './response.ts'

/** A response whose headers can be read: one of node:http, or a Fetch response. */
export interface ReadableHeaders {
  getHeaderNames(): string[]
  getHeader(name: string): number | string | string[] | undefined
}

/** Returns the headers of a response that are stored, just before it is sent. */
export type PickHeaders = (res: ReadableHeaders) => StoredResponse['headers']

/** Stored by default: headers that describe the response. */
const STORED = [
  'Content-Type',
  'Content-Language',
  'Content-Location',
  'Content-Disposition',
  'Location',
  'ETag',
  'Last-Modified',
  'Link',
  'Cache-Control',
  'CDN-Cache-Control',
  'Expires',
  'Vary',
  'Deprecation',
  'Sunset',
  'API-Version',
  'X-Content-Type-Options',
]

/**
 * Never stored: headers that describe the connection, the time, the encoding, or a single client.
 */
const NEVER_STORED = new Set([
  'date',
  'set-cookie',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'content-encoding',
  'content-length',
  'age',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-correlation-id',
  'traceparent',
  'tracestate',
  'server-timing',
  'strict-transport-security',
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'x-powered-by',
])
const NEVER_STORED_PREFIXES = ['x-ratelimit-', 'access-control-', 'cross-origin-', 'idempotent-']

/**
 * Compiles the option: the default headers and `more`, or all except those that must not be stored.
 */
export function pickHeaders(more: readonly string[] | 'all'): PickHeaders {
  if (more === 'all') return (res) => readHeaders(res, res.getHeaderNames().filter(isStorableHeader))
  const names = [...new Map([...STORED, ...more].map((name) => [name.toLowerCase(), name])).values()]
  return (res) => readHeaders(res, names)
}

/** Whether a header may be stored at all. */
export function isStorableHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return !NEVER_STORED.has(lower) && !NEVER_STORED_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

function readHeaders(res: ReadableHeaders, names: readonly string[]): StoredResponse['headers'] {
  const headers: (readonly [string, string | readonly string[]])[] = []
  for (const name of names) {
    const value = res.getHeader(name)
    if (value !== undefined) headers.push([name, typeof value === 'number' ? String(value) : value])
  }
  const correlation = res.getHeader('X-Correlation-ID')
  if (typeof correlation === 'string') headers.push(['Idempotent-Original-Correlation-ID', correlation])
  return headers
}
