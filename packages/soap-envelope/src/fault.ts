import { omitStacks, restoreStacks } from '../../internal/stack-trace.ts'
import { FAULTS, type QName } from './xml/names.ts'

/**
 * The five codes of SOAP 1.2 (part 1, 5.4.6). In SOAP 1.1 Sender is written as Client, Receiver as
 * Server.
 */
export type FaultCode = 'VersionMismatch' | 'MustUnderstand' | 'DataEncodingUnknown' | 'Sender' | 'Receiver'

/** Content of a SOAP fault (SOAP 1.2 part 1 §5.4). */
export interface SoapFaultInit {
  /**
   * `Sender`: the message was wrong, and fails again. `Receiver`: the service failed, and a retry
   * may not.
   */
  code: FaultCode
  /** Human-readable reason: one text (English), or a text per language tag. Safe to show. */
  reason: string | Readonly<Record<string, string>>
  /**
   * The cause for programs, from the general to the particular. A bare word is a name in the
   * namespace of our faults.
   */
  subcodes?: readonly (QName | string)[]
  /** URI of the node that failed. */
  node?: string
  /** URI of the role in which the node acted. */
  role?: string
  /**
   * XML of the entries of Detail: well-formed, with its own namespace declarations. Never on errors
   * in header blocks.
   */
  detail?: string
  /**
   * A fault that the contract declares, by its name there, and the value of its element: it is
   * written as the detail. The client gets it back as `declared`.
   */
  declared?: { readonly name: string; readonly value: unknown }
  /**
   * The status that the same error has on a resource interface. @defaultValue 400 for Sender, else
   * 500
   */
  status?: number
  /**
   * An HTTP status other than the one that the SOAP binding gives: 405, 413, 415, 429, 503, 401.
   */
  httpStatus?: number
  /** HTTP headers of the response, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  /** The header blocks that were not understood. The fault has a NotUnderstood block for each. */
  notUnderstood?: readonly QName[]
  /** The error behind this one, for logs only. */
  cause?: unknown
}

/**
 * A SOAP fault: thrown by a handler or by the reader, written by the service, thrown again by the
 * client.
 */
export class SoapFault extends Error {
  /** Tells a fault from other errors, also of another copy of this package. */
  override readonly name: string
  /**
   * `Sender`: the message was wrong. `Receiver`: the service failed. Others as SOAP 1.2 5.4.6 has
   * them.
   */
  readonly code: FaultCode
  /** Human-readable reasons by language tag. */
  readonly reasons: Readonly<Record<string, string>>
  /** The cause for programs, from the general to the particular. */
  readonly subcodes: readonly QName[]
  /** URI of the node that failed. */
  readonly node: string | undefined
  /** URI of the role in which the node acted. */
  readonly role: string | undefined
  /** XML of the entries of Detail. */
  readonly detail: string | undefined
  /** The fault of the contract that it is, if it is one. */
  readonly declared: { readonly name: string; readonly value: unknown } | undefined
  /** The status that the same error has on a resource interface. */
  readonly status: number
  /** An HTTP status other than the one that the SOAP binding gives. */
  readonly httpStatus: number | undefined
  /** HTTP headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /** The header blocks that were not understood (SOAP 1.2 5.4.8). */
  readonly notUnderstood: readonly QName[]
  /** The convention of http-errors: the message may be shown. */
  readonly expose: boolean

  constructor(init: SoapFaultInit) {
    const reasons = typeof init.reason === 'string' ? { en: init.reason } : init.reason
    const message = String(reasons['en'] ?? Object.values(reasons)[0] ?? '')
    // A fault other than Receiver tells of the client's mistake.
    const isExpected = init.code !== 'Receiver'
    const limit = isExpected ? omitStacks() : undefined
    super(message, init.cause === undefined ? undefined : { cause: init.cause })
    if (isExpected) restoreStacks(limit, this, 'SoapFault')
    this.name = 'SoapFault'
    this.expose = true
    this.code = init.code
    this.reasons = reasons
    this.subcodes = (init.subcodes ?? []).map((name) =>
      typeof name === 'string' ? { uri: FAULTS, local: name } : name,
    )
    this.node = init.node
    this.role = init.role
    this.detail = init.detail
    this.declared = init.declared
    this.status = init.status ?? (init.code === 'Sender' ? 400 : 500)
    this.httpStatus = init.httpStatus
    this.headers = init.headers ?? {}
    this.notUnderstood = init.notUnderstood ?? []
  }
}

/** A fault of the sender with a subcode of ours: what every check of the reader throws. */
export function senderFault(subcode: string, reason: string, more: Partial<SoapFaultInit> = {}): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: [subcode], reason, ...more })
}

/** A fault that the contract declares, for handlers: `context.fault`. */
export function buildDeclaredFault(
  name: string,
  value: unknown,
  init: Partial<SoapFaultInit> & Pick<SoapFaultInit, 'reason'>,
): SoapFault {
  return new SoapFault({ code: 'Sender', ...init, declared: { name, value } })
}

/** The fault of a message beyond a limit. */
export function limitFault(reason: string, more: Partial<SoapFaultInit> = {}): SoapFault {
  return senderFault('LimitExceeded', reason, more)
}
