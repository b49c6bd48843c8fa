import { randomUUID } from 'node:crypto'

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const LATER = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/

/** The id of the trace that a request belongs to (W3C Trace Context), or of one that begins with it. */
export function traceOf(field: string | string[] | undefined): string {
  const text = typeof field === 'string' ? field : ''
  const [, trace = '', parent = ''] = VERSION_00.exec(text) ?? LATER.exec(text) ?? []
  // Node.js keeps random bytes for UUIDs at hand, and asks for others each time.
  return /[^0]/.test(trace) && /[^0]/.test(parent) ? trace : randomUUID().replaceAll('-', '')
}
