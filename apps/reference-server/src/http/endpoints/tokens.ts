import type { ErrorContext, ErrorResponse } from '@svc/errors'
import type { ActionContext, ActionResult } from '../../engine/action.ts'
import { objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import { requestStateOf } from '../../engine/request-state.ts'
import { type Payload, type Route, route } from '../../engine/route.ts'
import { failure } from '../../messages/errors.ts'
import { formatMessage, isMessage, quoteInput } from '../../messages/messages.ts'
import { CHALLENGES } from '../../security/caller.ts'
import type { Issuer, IssueToken } from '../../security/issuer.ts'

const PATH = '/tokens'
const FORM = 'application/x-www-form-urlencoded'

const takes: Payload = {
  name: 'TokenRequest',
  schema: objectSchema({
    grant_type: field.choice('client_credentials').describe('Grant of OAuth 2.0.'),
    scope: field
      .text({ max: 1000 })
      .optional()
      .describe('Scopes, separated by spaces: by default all that the user has.'),
  }),
  example: { grant_type: 'client_credentials', scope: 'employees:read orders:read' },
}

const gives: Payload = {
  name: 'Token',
  schema: objectSchema({
    access_token: field.text({ max: 8000 }).describe('The access token, a JWT (RFC 9068).'),
    token_type: field.choice('Bearer').describe('How the token is sent.'),
    expires_in: field.integer({ min: 1, max: 86_400 }).describe('Lifetime in seconds.'),
    scope: field.text({ min: 0, max: 8000 }).describe('Scopes of the token, separated by spaces.'),
  }),
  example: {
    access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c2VyOjZjYzVhNWYzIn0.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_in: 900,
    scope: 'employees:read orders:read',
  },
}

/** POST /tokens: an access token for the user who sends name and password (RFC 6749 §4.4). */
export function tokenRoute(issue: IssueToken, issuer: Issuer): Route {
  const run = async ({ caller, body, origin }: ActionContext): Promise<ActionResult> => {
    const form = readForm(body)
    const grant = form.get('grant_type')
    if (grant === undefined) throw failure('INVALID_REQUEST.grantType')
    if (grant !== 'client_credentials') throw failure('UNSUPPORTED_GRANT_TYPE')
    if (caller?.scheme !== 'Basic') throw failure('AUTHENTICATION_REQUIRED.basic', undefined, { headers: CHALLENGES })
    if (form.has('client_secret')) throw failure('INVALID_REQUEST.credentialsTwice')
    const wanted = form.get('scope')
    const issued = await issue(caller, issuer.at(origin()), wanted)
    if (wanted !== undefined && issued.scope === '') throw failure('INVALID_SCOPE')
    const content = { kind: 'record', name: 'token', value: { ...issued } } as const
    return { status: 200, cache: 'never', headers: NO_CACHE, content }
  }
  return route(PATH, {
    POST: {
      operationId: 'createToken',
      summary: 'Create an access token',
      description:
        'Returns an access token for the user whose name and password are sent by Basic authentication (RFC 6749 §4.4).',
      tag: 'tokens',
      record: 'token',
      takes,
      gives,
      scope: undefined,
      kind: 'record',
      accepts: [FORM],
      cost: 1,
      success: 200,
      run,
    },
  })
}

// RFC 6749 §5.1 requires it in addition to Cache-Control: no-store.
const NO_CACHE = { Pragma: 'no-cache' }

// A parameter is sent once, and one without a value counts as omitted (RFC 6749 §3.2).
function readForm(body: Buffer): Map<string, string> {
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString())) {
    if (form.has(name)) throw failure('INVALID_REQUEST.parameterTwice', { name: quoteInput(name) })
    if (value !== '') form.set(name, value)
  }
  return form
}

const ERROR_CODES: Readonly<Record<string, string>> = {
  UNSUPPORTED_GRANT_TYPE: 'unsupported_grant_type',
  INVALID_SCOPE: 'invalid_scope',
}

/**
 * The body of an error of `POST /tokens` (RFC 6749 §5.2): an Error record whose `error` is the code
 * of OAuth. `undefined` for every other request, and for statuses that OAuth has no code for.
 */
export function oauthError({ req, classification, record }: ErrorContext): ErrorResponse | undefined {
  if (requestStateOf(req).path !== PATH || req.method !== 'POST') return undefined
  const { status, code, message, params } = classification
  const error = ERROR_CODES[code] ?? (status === 401 ? 'invalid_client' : status < 429 ? 'invalid_request' : undefined)
  if (error === undefined || status === 404) return undefined
  // The description has no language and is limited to ASCII.
  const description = isMessage(params?.['message']) ? formatMessage(params['message'], 'en') : message
  const body = { ...record, error, error_description: description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?') }
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}
