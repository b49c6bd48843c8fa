import { failure } from '../messages/errors.ts'
import type { Caller } from './caller.ts'

/** Refuses callers whose credentials do not allow this: 401 for nobody, 403 for somebody. */
export function requireScope(caller: Caller | undefined, scope: string): void {
  if (caller?.scopes.has(scope)) return
  if (!caller) throw failure('AUTHENTICATION_REQUIRED', undefined, { headers: CHALLENGES })
  const headers = caller.scheme === 'Bearer' ? { headers: insufficientScope(scope) } : {}
  throw failure('INSUFFICIENT_SCOPE.scope', { scope }, headers)
}

/** Two challenges, in two fields. */
export const CHALLENGES = {
  'WWW-Authenticate': ['Bearer realm="svc"', 'Basic realm="svc", charset="UTF-8"'],
}

function insufficientScope(scope: string): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer realm="svc", error="insufficient_scope", scope="${scope}"` }
}
