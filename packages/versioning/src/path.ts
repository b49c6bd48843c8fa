/** A version segment at the start of a path. */
export interface VersionSegment {
  /** `v2`. */
  segment: string
  /** Start and end of the segment in the target: `/v2` of `/v2/employees?page=1`. */
  start: number
  end: number
}

const SLASH = 0x2f
const QUESTION = 0x3f
const HASH = 0x23
const MAX_LENGTH = 64

/**
 * Finds the first segment of a request target where it is shaped like a version: the prefix, then a
 * digit, then only what versions are made of. `/vehicles` and `/v2x` are resources. Reads the
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
  return isVersionShaped(segment.slice(prefix.length)) ? { segment, start, end } : undefined
}

/** The target without the segment: `/v2/employees` becomes `/employees`, `/v2` becomes `/`. */
export function withoutSegment(target: string, { start, end }: VersionSegment): string {
  const rest = target.slice(end)
  return `${target.slice(0, start)}${rest.charCodeAt(0) === SLASH ? rest : `/${rest}`}`
}

// Numbers with dots and hyphens, and a pre-release behind three numbers.
function isVersionShaped(text: string): boolean {
  return /^[\d.-]+$/.test(text) || /^\d+\.\d+\.\d+-[0-9A-Za-z.-]+$/.test(text)
}

function findPathStart(target: string): number {
  const scheme = target.indexOf('://')
  return scheme === -1 ? -1 : target.indexOf('/', scheme + 3)
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39
}
