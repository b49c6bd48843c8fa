import { assertMethod, assertTypes, inspectValue } from '../../../internal/options.ts'
import { isName } from '../assert-options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import { SoapFault } from '../fault.ts'
import type { Attachment } from '../mime/multipart.ts'
import { type QName, type SoapVersion, WSSE } from '../xml/names.ts'
import type { AuthenticatedUser, SoapRequest } from './request.ts'

/** Context of `authenticate()`. */
export interface SecurityContext {
  /** The message, for mechanisms that verify signatures of its parts. */
  readonly envelope: Envelope
  /** Whether the message came over HTTPS or from this host. */
  readonly isSecure: boolean
  /** Attachments that the message does not include by XOP. */
  readonly attachments: readonly Attachment[]
  /** The HTTP request, with the `context` of the app. */
  readonly request: SoapRequest
}

/** Content of an outgoing envelope. */
export interface OutgoingMessage {
  /** SOAP version of the envelope. */
  readonly version: SoapVersion
  /** XML of the child of the Body. */
  readonly body: string
  /** XML of each header block. */
  readonly headers: readonly string[]
  /** Attachments that the Body includes (XOP). */
  readonly attachments: readonly Attachment[]
  /** XML of security tokens for the Security block. */
  readonly tokens: string
}

/**
 * Authentication by a header block: `usernameToken()`, `authenticationHeader()`, `x509Signature()`,
 * or a custom one.
 */
export interface SecurityMechanism {
  /** Name of the header block with the credentials. */
  readonly header: QName
  /**
   * Returns the user who sent the message. Throws or rejects with a `SoapFault` if the credentials
   * are invalid.
   */
  authenticate(block: HeaderBlock, context: SecurityContext): AuthenticatedUser | Promise<AuthenticatedUser>
  /**
   * Whether a header block is for this mechanism, if another one has the same header. @defaultValue
   * blocks that no other mechanism accepts
   */
  accepts?(block: HeaderBlock): boolean
  /** Returns the envelope of the response to an authenticated message, for example signed. */
  protect?(message: OutgoingMessage): string
}

/** Throws unless the value has the method of a mechanism, and the name of its header block. */
export function assertSecurity(
  owner: string,
  name: string,
  value: Pick<SecurityMechanism, 'header'>,
  method: string,
  meaning: string,
): void {
  assertMethod(owner, name, value, method, meaning)
  assertTypes(`${owner}: ${name}`, value, { accepts: 'function', protect: 'function', verify: 'function' })
  if (!isName(value.header))
    throw new TypeError(`${owner}: ${name}: header must be { uri, local }, got ${inspectValue(value.header)}`)
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

/** Creates a fault of WS-Security (WSS 1.1 §12). */
export function securityFault(subcode: WsseCode, reason: string): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: [{ uri: WSSE, local: subcode }], reason, status: 401 })
}

/** The one fault for an unknown user and for a wrong password: it does not reveal which it was. */
export function failedAuthentication(): SoapFault {
  return securityFault('FailedAuthentication', 'The security token could not be authenticated.')
}
