import type { MaybePromise } from '@svc/errors'
import { type FailureKey, failure } from '../messages/errors.ts'
import { type CheckPassword, readBasic } from './basic.ts'
import type { TokenChecker } from './bearer.ts'
import type { Caller } from './caller.ts'
import { CHALLENGES } from './require-scope.ts'

/** Finds out who sends a request, by its field `Authorization`. */
export interface Authenticator {
  /** Whose token it is, where it was seen before: without any waiting. */
  known(authorization: string): Caller | undefined
  /** Checks the credentials. Throws or rejects with a 400, 401 or 429. */
  check(authorization: string, address: string): MaybePromise<Caller>
}

const SCHEME = /^([A-Za-z]+)(?: +(.*))?$/s
const BEARER = 'Bearer '
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** Basic and Bearer, each request by itself. */
export function authenticator(checkPassword: CheckPassword, tokens: TokenChecker): Authenticator {
  const basic = async (credentials: string, address: string): Promise<Caller> => {
    const read = readBasic(credentials)
    if (!read) throw invalidCredentials()
    const caller = await checkPassword(read.username, read.password, address)
    if (!caller) throw invalidCredentials()
    return caller
  }
  const bearer = (token: string): MaybePromise<Caller> => {
    if (!TOKEN.test(token)) throw invalidRequest('INVALID_REQUEST.tokenForm')
    return tokens.check(token)
  }
  return {
    known: (authorization) =>
      authorization.startsWith(BEARER) ? tokens.known(authorization.slice(BEARER.length)) : undefined,
    check(authorization, address) {
      const [, scheme = '', credentials = ''] = SCHEME.exec(authorization) ?? []
      if (scheme.toLowerCase() === 'bearer') return bearer(credentials)
      if (scheme.toLowerCase() === 'basic') return basic(credentials.trim(), address)
      throw failure('INVALID_CREDENTIALS.scheme', { supported: ['Bearer', 'Basic'] }, { headers: CHALLENGES })
    },
  }
}

/** The request itself is wrong (RFC 6750 3.1): 400. */
export function invalidRequest(key: FailureKey): Error {
  const headers = { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_request"' }
  return failure(key, undefined, { headers })
}

function invalidCredentials(): Error {
  return failure('INVALID_CREDENTIALS', undefined, { headers: CHALLENGES })
}
