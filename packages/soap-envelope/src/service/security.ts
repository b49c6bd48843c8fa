import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import { SoapFault } from '../fault.ts'
import type { Attachment } from '../mime/multipart.ts'
import { type QName, type SoapVersion, WSSE } from '../xml/names.ts'
import type { AuthenticatedUser, SoapRequest } from './request.ts'

/** The message that a mechanism authenticates, in addition to the header block. */
export interface SecurityContext {
  /** The whole message, for mechanisms that sign parts of it. */
  readonly envelope: Envelope
  /** Whether the message came over HTTPS or from this machine. */
  readonly isSecure: boolean
  /** Attachments that the message itself does not include. */
  readonly attachments: readonly Attachment[]
  /** Request of HTTP, with the `context` of the app. */
  readonly request: SoapRequest
}

/** Content of the envelope of a message that is sent. */
export interface OutgoingMessage {
  /** SOAP version of the envelope. */
  readonly version: SoapVersion
  /** XML of the child of the Body. */
  readonly body: string
  /** XML of each header block. */
  readonly headers: readonly string[]
  /** Attachments that the Body includes (XOP). */
  readonly attachments: readonly Attachment[]
  /** XML of tokens for the Security block. */
  readonly tokens: string
}

/**
 * A way to authenticate by a header block: `usernameToken()`, `authenticationHeader()`, or one of
 * your own.
 */
export interface SecurityMechanism {
  /** The header block that carries the credentials. */
  readonly header: QName
  /** Says who sends. Throws, or rejects with, a SoapFault when the credentials are not good. */
  authenticate(block: HeaderBlock, context: SecurityContext): AuthenticatedUser | Promise<AuthenticatedUser>
  /**
   * Whether a header block is one for this mechanism rather than for another one with the same
   * header.
   * @defaultValue those that no other mechanism accepts
   */
  accepts?(block: HeaderBlock): boolean
  /**
   * Writes the envelope of a response to a message that the mechanism has authenticated, such as
   * with a signature.
   */
  protect?(message: OutgoingMessage): string
}

export type WsseCode =
  | 'InvalidSecurity'
  | 'InvalidSecurityToken'
  | 'FailedAuthentication'
  | 'FailedCheck'
  | 'SecurityTokenUnavailable'
  | 'UnsupportedAlgorithm'
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
