import { hash } from 'node:crypto'
import type { IncomingMessage } from '../../internal/middleware.ts'
import type { Warn } from './warnings.ts'

/** Cookies with such names usually carry credentials. */
const CREDENTIALS = /sess|sid\b|auth|token|jwt|user|login|remember/i

/**
 * Creates the default of the option `user`: a hash of Authorization, and one shared user for
 * requests without credentials. It returns `undefined` if the client is authenticated by other
 * means, which it cannot identify.
 */
export function createDefaultUser(warn: Warn): (req: object) => string | undefined {
  return (req) => {
    const authorization = readHeader(req, 'authorization')
    if (authorization !== undefined) return hash('sha256', authorization, 'base64url')
    const cookie = readHeader(req, 'cookie')
    const credentials = findCredentials(req, cookie)
    if (credentials !== undefined) {
      warn(
        'WRN_IDEMPOTENCY_USER_UNKNOWN',
        `A request was rejected, since it is authenticated by ${credentials} and its user is unknown. Set the option user, such as user: (req) => req.user?.id.`,
      )
      return undefined
    }
    if (cookie !== undefined)
      warn(
        'WRN_IDEMPOTENCY_COOKIE_IGNORED',
        'Requests with cookies share their keys with anonymous clients. If a cookie identifies the user, set the option user.',
      )
    return ''
  }
}

function findCredentials(req: object, cookie: string | undefined): string | undefined {
  const { user, auth, session, socket } = req as Partial<Record<'user' | 'auth' | 'session', unknown>> & {
    socket?: { authorized?: boolean }
  }
  if (user != null) return 'req.user'
  if (auth != null) return 'req.auth'
  if (cookie !== undefined && session != null) return 'a session (req.session)'
  if (readHeader(req, 'x-api-key') !== undefined) return 'X-API-Key'
  if (socket?.authorized === true) return 'a client certificate'
  const name = cookie === undefined ? undefined : listCookieNames(cookie).find((each) => CREDENTIALS.test(each))
  return name === undefined ? undefined : `the cookie "${name.slice(0, 40)}"`
}

function listCookieNames(cookie: string): string[] {
  return cookie.split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
}

/** Requests of node:http, and of the Fetch API. */
function readHeader(req: object, name: string): string | undefined {
  const { headers } = req as { headers: Headers | IncomingMessage['headers'] }
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
