import type { Versioning } from '@svc/versioning'
import type { IncomingMessage, Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'

/** Adds the headers of the API version. Only OPTIONS and version errors list all versions: elsewhere they are noise. */
export function announceVersion(versions: Versioning): Middleware {
  return (req, _res, next) => {
    const headers = versions.headersFor(req, req.method === 'OPTIONS' ? 'all' : 'minimal')
    Object.assign(requestStateOf(req).headers, withSuccessor(headers, pathOf(req)))
    next()
  }
}

const SUCCESSOR = /<([^<>]*\/)>; rel="successor-version"/

// The root of the next version becomes the same resource in it (RFC 5829 §3).
function withSuccessor(headers: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
  const { Link: link } = headers
  if (link === undefined || /[<>"\s]/.test(path)) return headers
  return {
    ...headers,
    Link: link.replace(SUCCESSOR, (_, root: string) => `<${root}${path.slice(1)}>; rel="successor-version"`),
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}
