import {
  type ActionContext,
  type ActionResult,
  CHALLENGES,
  type Route,
  route,
} from '../../reference-server/src/index.ts'
import { playFailure } from './failure.ts'

const BASE = 'http://localhost'

const info = {
  operationId: 'login',
  summary: 'Log in',
  description: 'Asks a browser for credentials and leads back to the page.',
  tag: 'playground',
}

/**
 * GET /login?not=ada&to=/orders: returns 401 without credentials and to the named user, so that a
 * browser drops the password that it has and asks for another one. Every other user is redirected.
 * It is at the root because a browser sends a password automatically to every path below the one
 * that asked for it.
 */
export function loginRoute(): Route {
  const run = ({ caller, search }: ActionContext): ActionResult => {
    const query = new URLSearchParams(search)
    if (!caller || caller.name === query.get('not'))
      throw playFailure(401, 'error.login', { code: 'AUTHENTICATION_REQUIRED', headers: CHALLENGES })
    const to = query.get('to') ?? '/'
    return { status: 302, cache: 'never', location: toLocalPath(to) }
  }
  return route('/login', {
    GET: { ...info, scope: undefined, kind: 'none', run },
  })
}

// Parsed as a browser does, which removes tabs and line breaks: `/<tab>/host` is another host.
function toLocalPath(to: string): string {
  const url = URL.parse(to, BASE)
  return url?.origin === BASE && !url.pathname.startsWith('//') ? url.pathname + url.search : '/'
}
