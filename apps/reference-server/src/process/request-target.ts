import type { IncomingMessage } from 'node:http'

const ABSOLUTE = /^https?:\/\/([^/?#]*)(?=[/?#]|$)/i
const UNRESERVED = /[\w.~-]/

/**
 * Rewrites the target of a request to the form that every later stage reads. The authority of a target in absolute form
 * replaces Host (RFC 9112 §3.2.2), and encoded unreserved characters of the path are decoded, since `/%65mployees` is
 * the same URI as `/employees` (RFC 3986 §6.2.2).
 */
export function normalizeTarget(req: IncomingMessage): void {
  const { url = '/' } = req
  const isPlain = url.startsWith('/') && !url.includes('%')
  if (isPlain) return
  const [prefix, authority] = ABSOLUTE.exec(url) ?? []
  // An http URL has a host (RFC 9110 §4.2.1): the target is left as is, and rejected.
  if (authority === '') return
  if (authority !== undefined) req.headers.host = authority
  req.url = toOriginForm(url, prefix, req.method)
}

/** Returns the path of a request target in any form, without its query. */
export function parseTargetPath(target: string): string {
  const origin = toOriginForm(target, ABSOLUTE.exec(target)?.[0], undefined)
  const end = origin.search(/[?#]/)
  return end === -1 ? origin : origin.slice(0, end)
}

function toOriginForm(target: string, prefix = '', method: string | undefined): string {
  const rest = target.slice(prefix.length)
  if (prefix !== '' && rest === '') return method === 'OPTIONS' ? '*' : '/'
  const origin = prefix !== '' && !rest.startsWith('/') ? `/${rest}` : rest
  const question = origin.indexOf('?')
  return question === -1
    ? decodeUnreserved(origin)
    : decodeUnreserved(origin.slice(0, question)) + origin.slice(question)
}

function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%[\dA-Fa-f]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return UNRESERVED.test(character) ? character : triplet.toUpperCase()
  })
}
