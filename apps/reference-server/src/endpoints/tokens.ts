import { httpError } from '@svc/errors'
import type { Call } from '../resource/call.ts'
import type { Result } from '../resource/result.ts'
import { type Route, route } from '../resource/route.ts'
import type { IssueToken } from '../security/issue.ts'
import { CHALLENGES } from '../security/require-scope.ts'

const FORM = 'application/x-www-form-urlencoded'

/** POST /tokens: an access token for the user whose name and password come with the request (RFC 6749 4.4). */
export function tokenRoute(issue: IssueToken): Route {
  const run = async ({ caller, body }: Call): Promise<Result> => {
    const form = new URLSearchParams(body.toString())
    if (form.get('grant_type') !== 'client_credentials')
      throw httpError(400, 'grant_type must be client_credentials.', { code: 'UNSUPPORTED_GRANT_TYPE' })
    if (caller?.scheme !== 'Basic')
      throw httpError(401, 'A token is issued for a name and a password, by Basic.', {
        ...{ code: 'AUTHENTICATION_REQUIRED', headers: CHALLENGES },
      })
    const issued = await issue(caller, form.get('scope') ?? undefined)
    return { status: 200, cache: 'never', content: { kind: 'record', name: 'token', value: { ...issued } } }
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
  return route('/tokens', { POST: action })
}
