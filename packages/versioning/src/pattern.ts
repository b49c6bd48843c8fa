/** Returns whether a path matches a pattern. */
export type PathTest = (path: string) => boolean

/**
 * Compiles a path pattern: `*`, `:name` and `{name}` match one segment, a trailing `**` matches all
 * that follow. A trailing slash and case make no difference, since Express routes them alike.
 */
export function compilePattern(pattern: string): PathTest {
  if (pattern.charAt(0) !== '/')
    throw new TypeError(`versioning: paths of a change must begin with a slash, got ${JSON.stringify(pattern)}`)
  const expected = splitSegments(pattern)
  const isOpen = expected.at(-1) === '**'
  if (isOpen) expected.pop()
  return (path) => {
    const actual = splitSegments(path)
    if (isOpen ? actual.length <= expected.length : actual.length !== expected.length) return false
    return expected.every((segment, index) => isAny(segment) || segment === actual[index])
  }
}

function splitSegments(path: string): string[] {
  const segments = path.toLowerCase().split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments
}

function isAny(segment: string): boolean {
  return segment === '*' || segment.startsWith(':') || (segment.startsWith('{') && segment.endsWith('}'))
}
