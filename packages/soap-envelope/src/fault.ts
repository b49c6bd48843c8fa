import { isHttpClientError } from '../../internal/http-client-error.ts'
import { assertOneOf, assertType, inspectValue } from '../../internal/options.ts'
import { omitStacks, restoreStacks } from '../../internal/stack-trace.ts'
import { FAULTS, type QName } from './xml/names.ts'

/**
 * The five fault codes of SOAP 1.2 (part 1 §5.4.6). SOAP 1.1 has Client for Sender and Server for
 * Receiver.
 */
export type FaultCode = 'VersionMismatch' | 'MustUnderstand' | 'DataEncodingUnknown' | 'Sender' | 'Receiver'

export const FAULT_CODES: readonly FaultCode[] = [
  'VersionMismatch',
  'MustUnderstand',
  'DataEncodingUnknown',
  'Sender',
  'Receiver',
]

/** Content of a SOAP fault (SOAP 1.2 part 1 §5.4). */
export interface SoapFaultInit {
  /**
   * `Sender`: the message is invalid, and a retry fails too. `Receiver`: the service failed, and a
   * retry may succeed.
   */
  code: FaultCode
  /** Human-readable reason, safe to send: a string in English, or strings by language tag. */
  reason: string | Readonly<Record<string, string>>
  /** Machine-readable cause, from general to specific. A string is a name in `faultNamespace`. */
  subcodes?: readonly (QName | string)[]
  /** URI of the node that failed. */
  node?: string
  /** URI of the role in which the node acted. */
  role?: string
  /**
   * XML of the entries of Detail: well-formed, with all its namespace declarations. Not allowed for
   * errors in header blocks.
   */
  detail?: string
  /**
   * A fault of the contract: its name, and the value of its element, which becomes the detail.
   * Clients get it as `declared`.
   */
  declared?: { readonly name: string; readonly value: unknown }
  /**
   * HTTP status of the same error in a REST API, 400 to 599; any other is ignored.
   * @defaultValue 400 for Sender, otherwise 500
   */
  status?: number
  /**
   * HTTP status, if it differs from that of the SOAP binding: 401, 405, 413, 415, 429 or 503. One
   * that is not 400 to 599 is ignored.
   */
  httpStatus?: number
  /** HTTP headers of the response, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  /** The header blocks that were not understood. The fault has a NotUnderstood block for each. */
  notUnderstood?: readonly QName[]
  /** The original error, for the log. Never sent. */
  cause?: unknown
}

/**
 * A SOAP fault. Handlers and parsers throw it, the service sends it, and the client throws it
 * again.
 */
export class SoapFault extends Error {
  /** Always `SoapFault`. */
  override readonly name: string
  /**
   * `Sender`: the message is invalid. `Receiver`: the service failed. The others are those of SOAP
   * 1.2 part 1 §5.4.6.
   */
  readonly code: FaultCode
  /** Human-readable reasons by language tag. */
  readonly reasons: Readonly<Record<string, string>>
  /** Machine-readable cause, from general to specific. */
  readonly subcodes: readonly QName[]
  /** URI of the node that failed. */
  readonly node: string | undefined
  /** URI of the role in which the node acted. */
  readonly role: string | undefined
  /** XML of the entries of Detail. */
  readonly detail: string | undefined
  /** The declared fault, if it is one: its name and the value of its element. */
  readonly declared: { readonly name: string; readonly value: unknown } | undefined
  /** HTTP status of the same error in a REST API. */
  readonly status: number
  /** HTTP status, if it differs from that of the SOAP binding. */
  readonly httpStatus: number | undefined
  /** HTTP headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /** The header blocks that were not understood (SOAP 1.2 part 1 §5.4.8). */
  readonly notUnderstood: readonly QName[]
  /**
   * Whether the client may read the message, as in http-errors: false for a fault that
   * `soapClient()` throws.
   */
  readonly expose: boolean
  /**
   * The response of another service, if `soapClient()` throws the fault. A service sends such a
   * fault as an InternalError.
   */
  declare readonly response?: Response

  constructor(init: SoapFaultInit) {
    assertInit(init)
    const reasons = typeof init.reason === 'string' ? { en: init.reason } : init.reason
    const message = String(reasons['en'] ?? Object.values(reasons)[0] ?? '')
    // A fault other than Receiver is a client error.
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
    // A fault of another service may come with 200.
    this.status = isErrorStatus(init.status) ? init.status : init.code === 'Sender' ? 400 : 500
    this.httpStatus = isErrorStatus(init.httpStatus) ? init.httpStatus : undefined
    this.headers = init.headers ?? {}
    this.notUnderstood = init.notUnderstood ?? []
  }
}

/** Checks what a fault cannot be sent without. A fault is a response: the rest is not checked. */
function assertInit(init: SoapFaultInit): void {
  const owner = 'soap-envelope: SoapFault'
  assertType(owner, 'init', init, 'object')
  const { code, reason, subcodes } = init
  assertOneOf(owner, 'code', code, FAULT_CODES)
  if (typeof reason !== 'string' && (typeof reason !== 'object' || reason === null))
    throw new TypeError(
      `${owner}: reason must be a string, or an object with strings by language, got ${inspectValue(reason)}`,
    )
  if (subcodes !== undefined && !Array.isArray(subcodes))
    throw new TypeError(`${owner}: subcodes must be an array, got ${inspectValue(subcodes)}`)
}

/** Whether a value is the HTTP status of an error. */
export function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
}

/** Whether an error is a fault for our clients: not one of another service. */
export function isOutgoingFault(error: unknown): error is SoapFault {
  return error instanceof SoapFault && !isHttpClientError(error)
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
