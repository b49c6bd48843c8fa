const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const LATER = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/

/** The id of the trace that a request belongs to (W3C Trace Context); `undefined`: the caller traces nothing. */
export function traceOf(field: string | string[] | undefined): string | undefined {
  if (typeof field !== 'string') return undefined
  const [, trace = '', parent = ''] = VERSION_00.exec(field) ?? LATER.exec(field) ?? []
  return /[^0]/.test(trace) && /[^0]/.test(parent) ? trace : undefined
}
