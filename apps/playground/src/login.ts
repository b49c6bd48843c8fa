import {
  type ActionContext,
  type ActionResult,
  CHALLENGES,
  type Route,
  route,
} from '../../reference-server/src/index.ts'
import { playFailure } from './failure.ts'

const OWN_PATH = /^\/(?![/\\])/

const info = {
  operationId: 'login',
  summary: 'Log in',
  description: 'Asks a browser for credentials and leads back to the page.',
  tag: 'playground',
}

/**
 * GET /login?not=ada&to=/orders: refuses nobody, and the user who is named, so that a browser forgets the password that it
 * keeps and asks for another one; whoever else asks is sent on. It stands at the root: a browser sends a password by
 * itself to what is below the place that asked for it.
 */
export function loginRoute(): Route {
  const run = ({ caller, search }: ActionContext): ActionResult => {
    const query = new URLSearchParams(search)
    if (!caller || caller.name === query.get('not'))
      throw playFailure(401, 'error.login', { code: 'AUTHENTICATION_REQUIRED', headers: CHALLENGES })
    const to = query.get('to') ?? '/'
    return { status: 302, cache: 'never', location: OWN_PATH.test(to) ? to : '/' }
  }
  return route('/login', {
    GET: { ...info, scope: undefined, kind: 'none', accepts: [], idempotency: 'none', cost: 1, run },
  })
}
