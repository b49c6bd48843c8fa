import type { Id } from '../resources/fields.ts'

/** Who sends a request, as the credentials of that request alone say. */
export interface Caller {
  /** Username, or the subject of a token. */
  subject: string
  /** Id in /users, where the subject is one of ours. */
  userId: number | undefined
  /** The customer that the user is, if any. */
  customerId: Id | undefined
  roles: readonly string[]
  scopes: ReadonlySet<string>
  /** Tells callers apart that are offered different links. */
  mark: string
  /** How the credentials came. */
  scheme: 'Basic' | 'Bearer'
  /** The application behind a token. */
  clientId: string | undefined
}

/** Whether a caller sees only what is their own: customers do, and everybody without the scope that lifts it. */
export function isConfined(caller: Caller, unless: string | undefined): boolean {
  return caller.roles.includes('customer') || (unless !== undefined && !caller.scopes.has(unless))
}
