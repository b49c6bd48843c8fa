/** The part of a response that merging needs: node:http's, and everything built on it. */
export interface VaryingResponse {
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string): unknown
}

/** Adds field names to a `Vary` value: no name twice whatever its case, and `*` swallows all (RFC 9110 12.5.5). */
export function mergeVary(current: string, names: readonly string[]): string {
  if (current.trim() === '*') return '*'
  let merged = current
  for (const name of names) {
    if (name === '*') return '*'
    if (merged === '') merged = name
    else if (!lists(merged, name)) merged = `${merged}, ${name}`
  }
  return merged
}

function lists(value: string, name: string): boolean {
  const key = name.toLowerCase()
  return value.split(',').some((listed) => listed.trim().toLowerCase() === key)
}

/** Says that these request fields could have changed the answer, also when the request did not have them. */
export function vary(res: VaryingResponse, ...names: string[]): void {
  const current = res.getHeader('Vary')
  if (current === undefined) {
    res.setHeader('Vary', names.length === 1 ? (names[0] ?? '') : mergeVary('', names))
    return
  }
  const text = Array.isArray(current) ? current.join(', ') : String(current)
  const merged = mergeVary(text, names)
  if (merged !== text) res.setHeader('Vary', merged)
}
