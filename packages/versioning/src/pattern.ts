/** Whether a path matches a pattern. */
export type PathTest = (path: string) => boolean

/**
 * Compiles a pattern of a path: `*`, `:name` and `{name}` stand for one segment, a last `**` for
 * all that follow. A slash at the end makes no difference, and neither do capitals: Express routes
 * them alike, and a host that does not has nothing there.
 */
export function compilePattern(pattern: string): PathTest {
  if (typeof pattern !== 'string' || pattern.charAt(0) !== '/')
    throw new TypeError(`versioning: a path of a change must begin with a slash, got ${JSON.stringify(pattern)}`)
  const wanted = splitSegments(pattern)
  const isOpen = wanted.at(-1) === '**'
  if (isOpen) wanted.pop()
  return (path) => {
    const actual = splitSegments(path)
    if (isOpen ? actual.length <= wanted.length : actual.length !== wanted.length) return false
    return wanted.every((segment, index) => isAny(segment) || segment === actual[index])
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
