import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { assertType } from '../../../internal/options.ts'
import { assertOptions, type OptionRules } from '../assert-options.ts'
import type { AuthenticatedUser, SoapRequest } from '../service/request.ts'
import { failedAuthentication } from '../service/security.ts'

/** The credentials of a user: the password, or a function that verifies one against its hash. */
export type StoredCredentials = {
  /** A value for handlers, as `user.subject`. */
  subject?: unknown
  /**
   * Called with whether a digest is right, before the message is accepted or rejected, to count
   * attempts. A `SoapFault` that it throws rejects the message.
   */
  onDigest?: (isRight: boolean, request: SoapRequest) => void | Promise<void>
} & ({ password: string } | { verify: (password: string, request: SoapRequest) => boolean | Promise<boolean> })

/**
 * Returns the stored credentials of a user name. Names come from untrusted clients: look them up in
 * a Map or a table, never in an object.
 */
export type FindUser = (username: string) => StoredCredentials | undefined | Promise<StoredCredentials | undefined>

/** Options for checking user names and passwords. */
export interface CredentialOptions {
  /** Returns the stored credentials of a user, or `undefined` if there is no such user. */
  findUser: FindUser
  /**
   * Credentials to check if there is no such user, so that the response time does not reveal it.
   */
  dummyCredentials?: StoredCredentials
  /** Whether credentials are only accepted over HTTPS or from this host. @defaultValue true */
  requireTls?: boolean
}

/**
 * Checks the options of a mechanism.
 *
 * @param more - its own options, in addition to these
 */
export function assertCredentialOptions<Options extends CredentialOptions>(
  owner: string,
  options: Options,
  more: OptionRules<Omit<Options, keyof CredentialOptions>>,
): void {
  assertOptions<object>(owner, options, { findUser: 'any', dummyCredentials: 'any', requireTls: 'boolean', ...more })
  assertType(owner, 'findUser', options.findUser, 'function')
  if (options.dummyCredentials === undefined) return
  const dummy = Object(options.dummyCredentials)
  const isComplete = 'verify' in dummy ? typeof dummy.verify === 'function' : typeof dummy.password === 'string'
  // Their value is omitted, which may be a password.
  if (!isComplete) throw new TypeError(`${owner}: dummyCredentials must have a password or a function verify`)
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
