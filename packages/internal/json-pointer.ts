/**
 * Returns the JSON Pointer of a path of property names and indexes (RFC 6901 §3): `/items/0/a~1b`.
 */
export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/**
 * Returns the property names of a JSON Pointer, or `undefined` if it is malformed (RFC 6901 §3).
 */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  const tokens = pointer.slice(1).split('/')
  // `~01` is `~1`, so the slash is restored first (RFC 6901 §4).
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
