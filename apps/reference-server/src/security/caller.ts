import type { Id } from '../database/values.ts'
import type { Role } from './scopes.ts'

/** Who sends a request, as the credentials of that request alone say. */
export interface Caller {
  /** What the caller is known by wherever something is kept: stable, and never that of another caller. */
  subject: string
  /** What people call the caller: the username now, or the subject if it is not a user of this service. */
  name: string
  /** Id in /users, if the caller is a user of this service. */
  userId: number | undefined
  /** The customer that the user is, if any. */
  customerId: Id | undefined
  /** Roles of this service: the user's in the database, or those that an external issuer states. */
  roles: readonly Role[]
  scopes: ReadonlySet<string>
  /** 128 bits that tell callers apart who may see different things, such as links. */
  mark: string
  /** How the credentials came. */
  scheme: 'Basic' | 'Bearer'
  /** The application behind a token. */
  clientId: string | undefined
}

/** Roles and scopes that let a caller reach what belongs to other users; any one of them is enough. */
export interface Lift {
  roles?: readonly Role[]
  scopes?: readonly string[]
}

/** Whether a caller reaches only what is their own. Nothing else than a known role or scope lifts that. */
export function isConfined(caller: Caller | undefined, { roles = [], scopes = [] }: Lift): boolean {
  if (!caller) return true
  return !roles.some((role) => caller.roles.includes(role)) && !scopes.some((scope) => caller.scopes.has(scope))
}
