import type { ServerResponse } from '../../internal/middleware.ts'
import type { StoredResponse } from './response.ts'

/** Takes from a response, just before it is sent, the fields that are kept. */
export type FieldPicker = (res: ServerResponse) => StoredResponse['fields']

/** Kept by default: what tells of the answer. */
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
]

/** Never kept: what tells of the connection, of the moment, of the coding, or of one client alone. */
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
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'x-powered-by',
])
const NEVER_STORED_PREFIXES = ['x-ratelimit-', 'access-control-', 'cross-origin-', 'idempotent-']

/** Makes the picker: the default fields and more, or all but those that must not be kept. */
export function pickFields(more: readonly string[] | 'all'): FieldPicker {
  if (more === 'all') return (res) => valuesOf(res, res.getHeaderNames().filter(mayBeStored))
  const names = [...STORED, ...more]
  return (res) => valuesOf(res, names)
}

/** Whether a field may be kept at all. */
export function mayBeStored(name: string): boolean {
  const lower = name.toLowerCase()
  return !NEVER_STORED.has(lower) && !NEVER_STORED_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

function valuesOf(res: ServerResponse, names: readonly string[]): StoredResponse['fields'] {
  const fields: (readonly [string, string | readonly string[]])[] = []
  for (const name of names) {
    const value = res.getHeader(name)
    if (value !== undefined) fields.push([name, typeof value === 'number' ? String(value) : value])
  }
  const correlation = res.getHeader('X-Correlation-ID')
  if (typeof correlation === 'string') fields.push(['Idempotent-Original-Correlation-ID', correlation])
  return fields
}
