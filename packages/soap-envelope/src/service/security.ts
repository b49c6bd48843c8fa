import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import { SoapFault } from '../fault.ts'
import { type QName, WSSE } from '../xml/names.ts'

/** Who sends a message. */
export interface AuthenticatedUser {
  /** What all credentials of one message must agree on: the user's name. */
  readonly name: string
  /** What the look-up gave for the user. */
  readonly subject: unknown
}

/** What a mechanism may look at besides the header block. */
export interface SecurityContext {
  /** The whole message, for mechanisms that sign parts of it. */
  readonly envelope: Envelope
  /** Whether the message came over HTTPS or from this machine. */
  readonly isSecure: boolean
}

/** A way to authenticate by a header block: `usernameToken()`, `authenticationHeader()`, or one of your own. */
export interface SecurityMechanism {
  /** The header block that carries the credentials. */
  readonly header: QName
  /** Says who sends. Throws, or rejects with, a SoapFault when the credentials are not good. */
  authenticate(block: HeaderBlock, context: SecurityContext): AuthenticatedUser | Promise<AuthenticatedUser>
}

export type WsseCode =
  | 'InvalidSecurity'
  | 'InvalidSecurityToken'
  | 'FailedAuthentication'
  | 'UnsupportedSecurityToken'
  | 'MessageExpired'

/** A fault of WS-Security (WSS 1.1, 12). */
export function securityFault(subcode: WsseCode, reason: string): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: [{ uri: WSSE, local: subcode }], reason, status: 401 })
}

/** The one fault for an unknown user and for a wrong password: nothing in it tells which it was. */
export function failedAuthentication(): SoapFault {
  return securityFault('FailedAuthentication', 'The security token could not be authenticated.')
}

/**
 * Authenticates a message by all its credentials: those of HTTP if there are any, and the header block of each
 * mechanism. All must be good and name the same user. `undefined` when the message carries none.
 */
export async function authenticate(
  mechanisms: readonly SecurityMechanism[],
  context: SecurityContext,
  http: AuthenticatedUser | undefined,
): Promise<AuthenticatedUser | undefined> {
  let user = http
  let blocksSeen = 0
  for (const mechanism of mechanisms) {
    const { uri, local } = mechanism.header
    const blocks = context.envelope.headers.filter(
      ({ element, targeted }) => targeted && element.local === local && element.uri === uri,
    )
    const [block] = blocks
    if (!block) continue
    blocksSeen += blocks.length
    if (blocksSeen > 1) throw securityFault('InvalidSecurity', 'The message carries more than one security header.')
    const found = await mechanism.authenticate(block, context)
    if (user && user.name !== found.name)
      throw securityFault('InvalidSecurity', 'The credentials of the message name different users.')
    user = found
  }
  return user
}
