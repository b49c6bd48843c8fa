import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/**
 * Adds a suffix to the ETags of an older version, `"7"` becomes `"7.v1"`: two representations of a
 * resource must not share a strong ETag (RFC 9110 §8.8.1), and the application has only one.
 */
export interface VariantTag {
  /**
   * Removes the suffix from the conditions of a request, for the application. The returned function
   * restores them.
   */
  unmark(req: IncomingMessage): () => void
  mark(res: ServerResponse): void
}

/** Creates the suffix of a version. */
export function createVariantTag(version: string): VariantTag {
  const mark = `.v${version}`
  // May be followed by the suffix of an encoding, if the response was compressed outside of the
  // application.
  const marked = new RegExp(`(W/)?"([^"]*)${mark.replaceAll('.', '\\.')}(\\.[a-z]+)?"`, 'g')
  return {
    unmark: ({ method, headers }) => {
      const { 'if-match': match, 'if-none-match': noneMatch } = headers
      const isRead = method === 'GET' || method === 'HEAD' || method === 'QUERY'
      if (match !== undefined) headers['if-match'] = match.replace(marked, '$1"$2"')
      if (noneMatch !== undefined)
        headers['if-none-match'] = isRead ? heldTags(noneMatch, marked) : noneMatch.replace(marked, '$1"$2"')
      return () => {
        if (match !== undefined) headers['if-match'] = match
        if (noneMatch !== undefined) headers['if-none-match'] = noneMatch
      }
    },
    mark: (res) => {
      const tag = res.getHeader('ETag')
      if (typeof tag === 'string' && tag.endsWith('"')) res.setHeader('ETag', `${tag.slice(0, -1)}${mark}"`)
    },
  }
}

// An ETag without the suffix belongs to another version, and one with an encoding to the
// compression middleware.
function heldTags(noneMatch: string, marked: RegExp): string {
  if (noneMatch.trim() === '*') return noneMatch
  const held = [...noneMatch.matchAll(marked)].filter(([, , , coding]) => coding === undefined)
  return held.map(([, weak = '', opaque = '']) => `${weak}"${opaque}"`).join(', ') || '""'
}
