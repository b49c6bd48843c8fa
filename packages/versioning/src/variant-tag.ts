import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

const CONDITIONS = ['if-match', 'if-none-match']

/**
 * Gives the entity tags of an older version a mark of their own, `"7"` becomes `"7;v1"`, and takes it off again from
 * the conditions that come back: two representations of one resource must not share a strong tag (RFC 9110 8.8.1),
 * and the application knows one tag alone.
 */
export function makeVariantTag(version: string): {
  unmark(req: IncomingMessage): void
  mark(res: ServerResponse): void
} {
  const end = `;v${version}"`
  return {
    unmark: ({ headers }) => {
      for (const name of CONDITIONS) {
        const value = headers[name]
        if (typeof value === 'string' && value.includes(end)) headers[name] = value.replaceAll(end, '"')
      }
    },
    mark: (res) => {
      const tag = res.getHeader('ETag')
      if (typeof tag === 'string' && tag.endsWith('"') && !tag.endsWith(end))
        res.setHeader('ETag', tag.slice(0, -1) + end)
    },
  }
}
