import { createHash, randomBytes } from 'node:crypto'
import type { HeaderBlock } from '../envelope/header.ts'
import type { AuthenticatedUser } from '../service/request.ts'
import {
  failedAuthentication,
  type SecurityContext,
  type SecurityMechanism,
  securityFault,
} from '../service/security.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import { BASE64_BINARY, PASSWORD_DIGEST, PASSWORD_TEXT, WSSE } from '../xml/names.ts'
import {
  areEqual,
  assertCredentialOptions,
  type CredentialOptions,
  checkPassword,
  type StoredCredentials,
} from './credentials.ts'
import { type NonceStore, readNonceStore } from './nonce-store.ts'
import {
  checkTimestamp,
  readFreshTime,
  readParts,
  readTimeRules,
  TIME_OPTIONS,
  type TimeRules,
} from './security-block.ts'

/** Options for `usernameToken()` (WS-Security UsernameToken Profile 1.1). */
export interface UsernameTokenOptions extends CredentialOptions {
  /** Store of the nonces of digests. @defaultValue memoryNonceStore() */
  nonceStore?: NonceStore
  /** Maximum age of `Created`, in seconds. @defaultValue 300 */
  maxAgeSeconds?: number
  /** Maximum time of `Created` in the future, in seconds, since clocks differ. @defaultValue 60 */
  clockToleranceSeconds?: number
  /**
   * Whether a nonce must name its encoding, as the Basic Security Profile requires (R4220, R4221).
   * @defaultValue false
   */
  basicSecurityProfile?: boolean
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/**
 * Creates a mechanism for WS-Security UsernameToken (WSS Username Token Profile 1.1): PasswordText
 * and, if `findUser` returns the password, PasswordDigest with a nonce that is accepted once.
 * Rejects a Security block with anything else, such as a signature.
 */
export function usernameToken(options: UsernameTokenOptions): SecurityMechanism {
  const owner = 'soap-envelope: usernameToken'
  assertCredentialOptions(owner, options, {
    ...TIME_OPTIONS,
    nonceStore: 'any',
    basicSecurityProfile: 'boolean',
    now: 'function',
  })
  const { now = Date.now, basicSecurityProfile = false } = options
  const setting: Setting = {
    options,
    ...readTimeRules(options),
    basicSecurityProfile,
    now,
    store: readNonceStore(owner, options.nonceStore),
  }
  return {
    header: { uri: WSSE, local: 'Security' },
    authenticate: (block, context) => authenticateToken(block, context, setting),
  }
}

interface Setting extends TimeRules {
  options: UsernameTokenOptions
  basicSecurityProfile: boolean
  now: () => number
  store: NonceStore
}

async function authenticateToken(
  block: HeaderBlock,
  context: SecurityContext,
  setting: Setting,
): Promise<AuthenticatedUser> {
  const { options } = setting
  if ((options.requireTls ?? true) && !context.isSecure)
    throw securityFault('InvalidSecurity', 'Credentials are accepted over HTTPS only.')
  const nowMs = setting.now()
  const token = readToken(block.element)
  if (token.timestamp) checkTimestamp(token.timestamp, nowMs, setting)
  const createdMs = token.created === undefined ? undefined : readFreshTime(token.created, nowMs, setting)
  if (token.type === PASSWORD_TEXT) return await checkPassword(options, token.username, token.password, context.request)
  if (token.type !== PASSWORD_DIGEST)
    throw securityFault('UnsupportedSecurityToken', 'The type of the password is not supported.')
  const { created, nonce } = token
  if (created === undefined || createdMs === undefined || nonce === undefined)
    throw securityFault('InvalidSecurityToken', 'A password digest needs a nonce and a time of creation.')
  const nonceBytes = decodeNonce(nonce, setting.basicSecurityProfile)
  const stored = await options.findUser(token.username)
  const isRight = matchesDigest(stored, token, created, nonceBytes)
  const { onDigest } = stored ?? options.dummyCredentials ?? {}
  // First: a client that has tried too often must not learn that a nonce was used.
  await onDigest?.(isRight, context.request)
  if (!stored || !isRight) throw failedAuthentication()
  // Only now: a wrong guess must neither use up the nonce of another user nor fill the store. By
  // user and nonce, which the profile wants once with any time, and by the digest, which another
  // spelling of the name does not change.
  const untilMs = createdMs + setting.maxAgeMs + setting.clockToleranceMs
  for (const parts of [[token.password.trim()], [token.username, nonceBytes]]) {
    const answer = await setting.store.add(createKey(parts), untilMs, nowMs)
    if (answer !== 'added') throw failedAuthentication()
  }
  return { name: token.username, subject: stored.subject }
}

/** A key of the store: it holds neither the name nor the nonce. */
function createKey(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64')
}

interface Token {
  username: string
  password: string
  type: string
  nonce: XmlElement | undefined
  created: string | undefined
  timestamp: XmlElement | undefined
}

/**
 * Reads a Security block: one UsernameToken, one Timestamp at most, nothing else, and in each the
 * same.
 */
function readToken(security: XmlElement): Token {
  const parts = readParts(security, ['UsernameToken', 'Timestamp'])
  const token = parts.get('UsernameToken')
  if (!token) throw securityFault('InvalidSecurity', 'The security header contains no UsernameToken.')
  const fields = readParts(token, ['Username', 'Password', 'Nonce', 'Created'])
  const username = fields.get('Username')
  const password = fields.get('Password')
  for (const field of fields.values()) {
    if (field.children.length > 0) throw securityFault('InvalidSecurityToken', 'A part of the token contains elements.')
  }
  if (!username || !password) throw securityFault('InvalidSecurityToken', 'The token has no user name or no password.')
  return {
    username: username.text,
    password: password.text,
    type: getAttribute(password, '', 'Type') ?? PASSWORD_TEXT,
    nonce: fields.get('Nonce'),
    created: fields.get('Created')?.text,
    timestamp: parts.get('Timestamp'),
  }
}

function decodeNonce(nonce: XmlElement, basicSecurityProfile: boolean): Buffer {
  const encoding = getAttribute(nonce, '', 'EncodingType')
  const text = nonce.text.trim()
  const isSupported = encoding === undefined ? !basicSecurityProfile : encoding === BASE64_BINARY
  if (!isSupported || text === '' || text.length > 256 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0)
    throw securityFault('InvalidSecurityToken', 'The nonce is not Base64.')
  return Buffer.from(text, 'base64')
}

/**
 * Whether a token has the digest of the password, 3.1 of the profile. A user without a clear
 * password cannot use it.
 */
function matchesDigest(stored: StoredCredentials | undefined, token: Token, created: string, nonce: Buffer): boolean {
  const password = stored && 'password' in stored ? stored.password : undefined
  const wanted = passwordDigest(nonce, created, password ?? randomBytes(16).toString('hex'))
  return areEqual(wanted, token.password.trim()) && password !== undefined
}

/** The digest of a password: Base64(SHA-1(nonce + created + password)). */
export function passwordDigest(nonce: Uint8Array, created: string, password: string): string {
  return createHash('sha1').update(nonce).update(created).update(password).digest('base64')
}
