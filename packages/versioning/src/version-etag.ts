import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'

// ETags of an older version have a suffix, so that `"7"` becomes `"7.v1"`. Two representations of a
// resource must not share a strong ETag (RFC 9110 §8.8.1), and the application only has one.

const SENT = Symbol('svc.versioning.sent')
const HIDDEN = ['if-match', 'if-none-match', 'accept-encoding', 'range']

/** A request with the headers that the client sent, while the application sees others. */
type Request = IncomingMessage & { [SENT]?: IncomingMessage['headers'] }

/** Adds the suffix to the ETag of a response. */
export function addSuffix(res: ServerResponse, version: string): void {
  const tag = res.getHeader('ETag')
  if (typeof tag === 'string' && tag.endsWith('"')) res.setHeader('ETag', `${tag.slice(0, -1)}.v${version}"`)
}

/**
 * Removes the suffix from the conditions of a request, for the application, unless that has been
 * done already.
 */
export function removeSuffix(req: Request, version: string): void {
  if (req[SENT]) return
  const { headers } = req
  const sent: IncomingMessage['headers'] = {}
  for (const name of HIDDEN) if (headers[name] !== undefined) sent[name] = headers[name]
  req[SENT] = sent
  const { 'if-match': match, 'if-none-match': noneMatch } = sent
  if ((match ?? noneMatch) === undefined) return
  // May be followed by the suffix of an encoding, if a proxy or other middleware compressed the
  // response.
  const pattern = new RegExp(`(W/)?"([^"]*)\\.v${version.replaceAll('.', '\\.')}(\\.[a-z]+)?"`, 'g')
  if (match !== undefined) headers['if-match'] = match.replace(pattern, '$1"$2"')
  if (noneMatch !== undefined)
    headers['if-none-match'] = isRead(req) ? filterTags(noneMatch, pattern) : noneMatch.replace(pattern, '$1"$2"')
}

/** Restores the headers that the client sent, for other middleware. */
export function restoreHeaders({ headers, [SENT]: sent = {} }: Request): void {
  Object.assign(headers, sent)
}

/** Whether a request only reads, so that its conditions are evaluated with the response. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}

// An ETag without the suffix belongs to another version; one with an encoding belongs to the
// compression middleware.
function filterTags(noneMatch: string, pattern: RegExp): string {
  if (noneMatch.trim() === '*') return noneMatch
  const held = [...noneMatch.matchAll(pattern)].filter(([, , , encoding]) => encoding === undefined)
  return held.map(([, weak = '', opaque = '']) => `${weak}"${opaque}"`).join(', ') || '""'
}
