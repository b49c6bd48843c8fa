import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthenticatedUser, SoapRequest } from '../service/request.ts'
import { failedAuthentication } from '../service/security.ts'

/** A user: the password itself, or a function that checks one against what is stored of it. */
export type StoredCredentials = {
  /** The value that handlers get as `user.subject`. */
  subject?: unknown
} & ({ password: string } | { verify: (password: string, request: SoapRequest) => boolean | Promise<boolean> })

/**
 * Finds a user by name. A name is what a stranger sent: look it up in a Map or a table, never in an
 * object.
 */
export type FindUser = (username: string) => StoredCredentials | undefined | Promise<StoredCredentials | undefined>

/** Options for the check of user names and passwords. */
export interface CredentialOptions {
  /** Finds what is known of a user; `undefined` for a user that does not exist. */
  findUser: FindUser
  /** Password that is checked if there is no such user, so that the time it takes does not tell. */
  dummyCredentials?: StoredCredentials
  /**
   * Whether credentials count only on messages that came over HTTPS or from this machine.
   * @defaultValue true
   */
  requireTls?: boolean
}

const MAX_USERNAME = 256
const MAX_PASSWORD = 1024

/** Checks a clear password. Throws the same fault for an unknown user and for a wrong password. */
export async function checkPassword(
  options: CredentialOptions,
  username: string,
  password: string,
  request: SoapRequest,
): Promise<AuthenticatedUser> {
  if (username.length > MAX_USERNAME || password.length > MAX_PASSWORD) throw failedAuthentication()
  const stored = await options.findUser(username)
  const against = stored ?? options.dummyCredentials ?? { password: randomBytes(16).toString('hex') }
  const good = 'verify' in against ? await against.verify(password, request) : areEqual(against.password, password)
  if (!stored || !good) throw failedAuthentication()
  return { name: username, subject: stored.subject }
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function areEqual(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
