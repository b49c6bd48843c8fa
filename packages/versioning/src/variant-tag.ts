import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

/**
 * Gives the entity tags of an older version a mark of their own, `"7"` becomes `"7.v1"`: two representations of one
 * resource must not share a strong tag (RFC 9110 8.8.1), and the application knows one tag alone.
 */
export interface VariantTag {
  /**
   * Shows the application its own tags in the conditions of a request; the function shows those of the client again.
   */
  unmark(req: IncomingMessage): () => void
  mark(res: ServerResponse): void
}

/** Makes the mark of one version. */
export function createVariantTag(version: string): VariantTag {
  const mark = `.v${version}`
  // With the mark of a content coding behind it, where something around the application compresses.
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

// A tag without the mark is that of another version, and one with a coding is for who codes to know.
function heldTags(noneMatch: string, marked: RegExp): string {
  if (noneMatch.trim() === '*') return noneMatch
  const held = [...noneMatch.matchAll(marked)].filter(([, , , coding]) => coding === undefined)
  return held.map(([, weak = '', opaque = '']) => `${weak}"${opaque}"`).join(', ') || '""'
}
