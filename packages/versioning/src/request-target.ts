/** A version segment at the start of a path. */
export interface VersionSegment {
  /** The segment, such as `v2`. */
  segment: string
  /** Offsets of the segment with its slash in the target: `/v2` of `/v2/employees?page=1`. */
  start: number
  end: number
}

/** A parameter of a query as the client wrote it. */
export interface QueryParameter {
  value: string
  /** Name and value: `api-version=2`. */
  text: string
}

const SLASH = 0x2f
const QUESTION = 0x3f
const HASH = 0x23
const MAX_LENGTH = 64

/**
 * Returns the first segment of a request target if it has the form of a version: the prefix, a
 * digit, and only characters of versions. `/vehicles` and `/v2x` are resources. Accepts the
 * absolute form as well (RFC 9112 §3.2.2).
 */
export function findSegment(target: string, prefix: string): VersionSegment | undefined {
  const start = target.charCodeAt(0) === SLASH ? 0 : findPathStart(target)
  if (start === -1 || !target.startsWith(prefix, start + 1) || !isDigit(target.charCodeAt(start + 1 + prefix.length)))
    return undefined
  let end = start + 1
  for (; end < target.length; end++) {
    const char = target.charCodeAt(end)
    if (char === SLASH || char === QUESTION || char === HASH) break
    if (end - start > MAX_LENGTH) return undefined
  }
  const segment = target.slice(start + 1, end)
  return hasVersionForm(segment.slice(prefix.length)) ? { segment, start, end } : undefined
}

/** Returns the target without the segment: `/employees` for `/v2/employees`, `/` for `/v2`. */
export function removeSegment(target: string, { start, end }: VersionSegment): string {
  const rest = target.slice(end)
  return `${target.slice(0, start)}${rest.charCodeAt(0) === SLASH ? rest : `/${rest}`}`
}

/**
 * Returns every occurrence of a parameter in a query. The name is compared literally: an encoded
 * name is a different one.
 */
export function findParameters(query: string, name: string): QueryParameter[] {
  const parameters: QueryParameter[] = []
  const start = `${name}=`
  if (!query.includes(name)) return parameters
  for (const text of query.split('&')) {
    if (text === name) parameters.push({ value: '', text })
    else if (text.startsWith(start)) parameters.push({ value: text.slice(start.length), text })
  }
  return parameters
}

// Numbers with dots and hyphens, and a prerelease after three numbers.
function hasVersionForm(text: string): boolean {
  return /^[\d.-]+$/.test(text) || /^\d+\.\d+\.\d+-[0-9A-Za-z.-]+$/.test(text)
}

function findPathStart(target: string): number {
  const scheme = target.indexOf('://')
  return scheme === -1 ? -1 : target.indexOf('/', scheme + 3)
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39
}
