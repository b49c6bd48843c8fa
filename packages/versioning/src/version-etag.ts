import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/**
 * Adds a suffix to the ETags of an older version, so that `"7"` becomes `"7.v1"`. Two
 * representations of a resource must not share a strong ETag (RFC 9110 §8.8.1), and the application
 * only has one.
 */
export interface VersionETag {
  /**
   * Removes the suffix from the conditions of a request, for the application. Returns a function
   * that restores them.
   */
  removeSuffix(req: IncomingMessage): () => void
  /** Adds the suffix to the ETag of a response. */
  addSuffix(res: ServerResponse): void
}

/** Creates the suffix of a version. */
export function createVersionETag(version: string): VersionETag {
  const suffix = `.v${version}`
  // May be followed by the suffix of an encoding, if a proxy or other middleware compressed the
  // response.
  const pattern = new RegExp(`(W/)?"([^"]*)${suffix.replaceAll('.', '\\.')}(\\.[a-z]+)?"`, 'g')
  return {
    removeSuffix: ({ method, headers }) => {
      const { 'if-match': match, 'if-none-match': noneMatch } = headers
      const isRead = method === 'GET' || method === 'HEAD' || method === 'QUERY'
      if (match !== undefined) headers['if-match'] = match.replace(pattern, '$1"$2"')
      if (noneMatch !== undefined)
        headers['if-none-match'] = isRead ? filterTags(noneMatch, pattern) : noneMatch.replace(pattern, '$1"$2"')
      return () => {
        if (match !== undefined) headers['if-match'] = match
        if (noneMatch !== undefined) headers['if-none-match'] = noneMatch
      }
    },
    addSuffix: (res) => {
      const tag = res.getHeader('ETag')
      if (typeof tag === 'string' && tag.endsWith('"')) res.setHeader('ETag', `${tag.slice(0, -1)}${suffix}"`)
    },
  }
}

// An ETag without the suffix belongs to another version; one with an encoding belongs to the
// compression middleware.
function filterTags(noneMatch: string, pattern: RegExp): string {
  if (noneMatch.trim() === '*') return noneMatch
  const held = [...noneMatch.matchAll(pattern)].filter(([, , , encoding]) => encoding === undefined)
  return held.map(([, weak = '', opaque = '']) => `${weak}"${opaque}"`).join(', ') || '""'
}
