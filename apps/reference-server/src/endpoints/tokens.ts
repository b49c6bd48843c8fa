import { type ErrorContext, type ErrorResponse, httpError } from '@svc/errors'
import { exchangeOf } from '../exchange.ts'
import type { Call } from '../resource/call.ts'
import type { Result } from '../resource/result.ts'
import { type Route, route } from '../resource/route.ts'
import type { IssueToken } from '../security/issue.ts'
import type { Issuer } from '../security/issuer.ts'
import { CHALLENGES } from '../security/require-scope.ts'

const PATH = '/tokens'
const FORM = 'application/x-www-form-urlencoded'

/** POST /tokens: an access token for the user whose name and password come with the request (RFC 6749 §4.4). */
export function tokenRoute(issue: IssueToken, issuer: Issuer): Route {
  const run = async ({ caller, body, origin }: Call): Promise<Result> => {
    const form = readForm(body)
    const grant = form.get('grant_type')
    if (grant === undefined) throw invalidRequest('grant_type is required: client_credentials.')
    if (grant !== 'client_credentials')
      throw httpError(400, 'grant_type must be client_credentials.', { code: 'UNSUPPORTED_GRANT_TYPE' })
    if (caller?.scheme !== 'Basic')
      throw httpError(401, 'A token is issued for a username and a password, sent by Basic.', {
        ...{ code: 'AUTHENTICATION_REQUIRED', headers: CHALLENGES },
      })
    if (form.has('client_secret')) throw invalidRequest('Credentials must be sent once, by Basic.')
    const wanted = form.get('scope')
    const issued = await issue(caller, issuer.at(origin()), wanted)
    if (wanted !== undefined && issued.scope === '')
      throw httpError(400, 'None of the requested scopes can be granted.', { code: 'INVALID_SCOPE' })
    const value = { ...issued }
    return { status: 200, cache: 'never', headers: NO_CACHE, content: { kind: 'record', name: 'token', value } }
  }
  const action = {
    scope: undefined,
    kind: 'record',
    accepts: [FORM],
    idempotency: 'none',
    cost: 1,
    success: 200,
    run,
  } as const
  return route(PATH, { POST: action })
}

// RFC 6749 §5.1 requires it beside Cache-Control: no-store.
const NO_CACHE = { Pragma: 'no-cache' }

// A parameter is sent once, and one without a value counts as omitted (RFC 6749 §3.2).
function readForm(body: Buffer): Map<string, string> {
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString())) {
    if (form.has(name)) throw invalidRequest('A parameter was sent more than once.')
    if (value !== '') form.set(name, value)
  }
  return form
}

function invalidRequest(message: string): Error {
  return httpError(400, message, { code: 'INVALID_REQUEST' })
}

const ERROR_CODES: Readonly<Record<string, string>> = {
  UNSUPPORTED_GRANT_TYPE: 'unsupported_grant_type',
  INVALID_SCOPE: 'invalid_scope',
}

/**
 * The body of an error of `POST /tokens` (RFC 6749 §5.2): an Error record whose `error` is the code of OAuth.
 * `undefined` for every other request, and for statuses that OAuth has no code for.
 */
export function oauthError({ req, classification, record }: ErrorContext): ErrorResponse | undefined {
  if (exchangeOf(req).path !== PATH || req.method !== 'POST') return undefined
  const { status, code, message } = classification
  const error = ERROR_CODES[code] ?? (status === 401 ? 'invalid_client' : status < 429 ? 'invalid_request' : undefined)
  if (error === undefined) return undefined
  const body = { ...record, error, error_description: message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?') }
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}
