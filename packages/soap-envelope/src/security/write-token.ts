import { randomBytes } from 'node:crypto'
import { escapeText } from '../../../internal/xml-escape.ts'
import { assertOptions } from '../assert-options.ts'
import { BASE64_BINARY, PASSWORD_DIGEST, PASSWORD_TEXT, WSSE, WSU } from '../xml/names.ts'
import { passwordDigest } from './username-token.ts'

/** A user name and its password, for a UsernameToken of WS-Security. */
export interface TokenCredentials {
  /** Name of the user. */
  username: string
  /** The password, in clear. */
  password: string
  /** `'digest'` sends a hash with a nonce that counts once. @defaultValue 'text' */
  type?: 'text' | 'digest'
}

/** Checks credentials. The messages omit them. */
export function assertTokenCredentials(owner: string, credentials: TokenCredentials): void {
  const { username, password } = Object(credentials)
  if (typeof username !== 'string' || typeof password !== 'string')
    throw new TypeError(`${owner}: credentials must have a username and a password`)
  assertOptions(`${owner}: credentials`, credentials, { username: 'any', password: 'any', type: ['text', 'digest'] })
}

/**
 * Writes a mandatory Security block around tokens. It belongs into an envelope, where `env` is
 * bound.
 */
export function writeSecurity(tokens: string): string {
  return `<wsse:Security xmlns:wsse="${WSSE}" xmlns:wsu="${WSU}" env:mustUnderstand="1">${tokens}</wsse:Security>`
}

/** Writes a UsernameToken. It belongs into a Security block, where `wsse` and `wsu` are bound. */
export function writeUsernameToken({ username, password, type = 'text' }: TokenCredentials, now = Date.now()): string {
  const nonce = randomBytes(16)
  const created = new Date(now).toISOString()
  const value = type === 'digest' ? passwordDigest(nonce, created, password) : password
  const proof =
    type === 'digest'
      ? `<wsse:Nonce EncodingType="${BASE64_BINARY}">${nonce.toString('base64')}</wsse:Nonce>` +
        `<wsu:Created>${created}</wsu:Created>`
      : ''
  return (
    `<wsse:UsernameToken><wsse:Username>${escapeText(username)}</wsse:Username>` +
    `<wsse:Password Type="${type === 'digest' ? PASSWORD_DIGEST : PASSWORD_TEXT}">${escapeText(value)}</wsse:Password>` +
    `${proof}</wsse:UsernameToken>`
  )
}
