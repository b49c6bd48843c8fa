import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import type { SoapFault, SoapFaultInit } from '../fault.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import type { ResolveImport } from '../schema/documents.ts'
import type { Contract } from '../wsdl/contract.ts'
import type { MessageLimits } from '../xml/limits.ts'
import type { QName, SoapVersion } from '../xml/names.ts'
import type { AuthenticatedUser, SoapRequest } from './request.ts'
import type { SecurityMechanism } from './security.ts'

/** Context of a call, the second argument of a handler. */
export interface OperationContext<Types extends OperationTypes = OperationTypes> {
  /** Name of the operation. */
  readonly operation: string
  /** The version of SOAP that the message is in, and its response will be. */
  readonly version: SoapVersion
  /** Target namespace of the contract: it carries the version of the interface. */
  readonly namespace: string
  /**
   * The user that sends; `undefined` if the operation needs no credentials and the message had
   * none.
   */
  readonly user: AuthenticatedUser | undefined
  /** The header blocks that the contract binds to the request, by the names of their parts. */
  readonly headers: Property<Types, 'inputHeaders'>
  /** The header blocks of the response, by the names of their parts: set them here. */
  readonly responseHeaders: Partial<Property<Types, 'outputHeaders'>>
  /**
   * Builds a fault that the operation declares, by its name and the value of its element: throw it.
   * Its code is Sender unless `init` has another one.
   */
  readonly fault: <Name extends keyof Property<Types, 'faults'> & string>(
    name: Name,
    value: Property<Types, 'faults'>[Name],
    init: DeclaredFaultInit,
  ) => SoapFault
  /** HTTP headers of the response: set them here. */
  readonly httpHeaders: Record<string, string>
  /** Attachments that the message itself does not include. */
  readonly attachments: readonly Attachment[]
  /** The whole message. */
  readonly envelope: Envelope
  /** The HTTP request of the message. */
  readonly request: SoapRequest
}

/** Options for a declared fault, in addition to its value. */
export type DeclaredFaultInit = Partial<Omit<SoapFaultInit, 'declared' | 'detail' | 'reason'>> &
  Pick<SoapFaultInit, 'reason'>

/** The types that `svc-soap types` writes for an operation. */
export interface OperationTypes {
  /** The value in the Body of the request. */
  readonly input: unknown
  /** The value in the Body of the response. */
  readonly output: unknown
  /** The header blocks of the request. */
  readonly inputHeaders?: object
  /** The header blocks of the response. */
  readonly outputHeaders?: object
  /** The declared faults by name. */
  readonly faults?: object
}

type Property<Types, Name extends string> =
  Types extends Readonly<Record<Name, infer Value extends object>> ? Value : Record<string, unknown>

/** A call on its way to the handler. */
export interface OperationCall {
  /** The input as the handler will get it. An interceptor may replace it. */
  input: unknown
  /** The context that the handler will get. */
  readonly context: OperationContext
}

/**
 * Runs around every operation: before `next()`, which calls the handler, and after it. Returns what
 * becomes the response; a throw becomes a fault.
 */
export type Interceptor = (call: OperationCall, next: () => unknown) => unknown

/**
 * Runs an operation. Its value, or that of its promise, is the response; a throw becomes a fault.
 */
export type OperationHandler<Input = never, Output = unknown, Types extends OperationTypes = OperationTypes> = (
  input: Input,
  context: OperationContext<Types>,
) => Output | Promise<Output>

/** The handlers of a port type whose types `svc-soap types` wrote: `Handlers<CustomerPortType>`. */
export type Handlers<Port extends Record<string, OperationTypes>> = {
  [Name in keyof Port]: OperationHandler<Port[Name]['input'], Port[Name]['output'], Port[Name]>
}

/** A handler for each operation of a port type, by name. */
export type Operations = Readonly<Record<string, OperationHandler>>

/** One version of an interface: a contract and what carries it out. */
export interface ServiceVersion {
  /** The WSDL, as text or as `parseContract` gave it. */
  wsdl: string | Contract
  /** A handler for every operation of the port type, and no other. */
  operations: Operations
  /**
   * The name by which `?wsdl=name` asks for it.
   * @defaultValue the last step of the target
   * namespace: `v1`
   */
  name?: string
}

/** Options that all versions of a service share. */
export interface ServiceSettings {
  /** Gives the text of a schema that the WSDL imports, when `wsdl` is a text. */
  resolveImport?: ResolveImport
  /** Whether SOAP 1.1 (`text/xml`) is spoken too. @defaultValue true */
  acceptSoap11?: boolean
  /**
   * Maximum sizes of a message; a larger one is a fault LimitExceeded.
   * @defaultValue 1 MiB, depth
   * 64, 20,000 elements …
   */
  limits?: Partial<MessageLimits>
  /** URIs of further roles in which this service processes header blocks. */
  roles?: readonly string[]
  /**
   * Further header blocks that are understood, in addition to those of `security`: their names, or
   * a function that returns whether a block is.
   */
  understoodHeaders?: readonly QName[] | ((block: HeaderBlock) => boolean)
  /**
   * The ways to authenticate by a header block: `usernameToken()`, `authenticationHeader()`, your
   * own. Given, every operation needs credentials; `[]`: only those of HTTP.
   * @defaultValue no
   * credentials asked
   */
  security?: readonly SecurityMechanism[]
  /** Names of operations that need no credentials. @defaultValue [] */
  publicOperations?: readonly string[]
  /**
   * Says whether a user may call an operation; `false` becomes a fault NotPermitted. Given,
   * credentials are needed.
   * @defaultValue everybody may
   */
  authorize?: (user: AuthenticatedUser, operation: string) => boolean | Promise<boolean>
  /**
   * Whether WS-Addressing 1.0 is used: actions are checked, and replies relate to their requests.
   * @defaultValue whether the binding of the contract has `UsingAddressing`
   */
  addressing?: boolean
  /**
   * Accepts attachments, within these limits: MTOM/XOP, whose parts become binary values of the
   * message, and SOAP with Attachments. `{}` takes the defaults. Requests with XOP, or with
   * `multipart/related` in `Accept`, get responses with XOP.
   * @defaultValue rejected with 415
   */
  attachments?: Partial<AttachmentLimits>
  /**
   * Names of operations whose handler gets the repeated element at the end of its input as an async
   * iterable, while the message arrives. Limits then hold for each item. Their signatures cannot be
   * verified.
   * @defaultValue []
   */
  streamedOperations?: readonly string[]
  /** Maximum size of a message of these operations. @defaultValue 1 GiB */
  maxStreamBytes?: number
  /** Run around every handler, the first outermost. @defaultValue [] */
  interceptors?: readonly Interceptor[]
  /**
   * Whether a request must have every header block that the contract binds to it. @defaultValue
   * true
   */
  requireHeaders?: boolean
  /** Namespace of the subcodes of the faults. @defaultValue 'http://svc.example/ws/faults/v1' */
  faultNamespace?: string
  /**
   * HTTP status of faults; `'http'` gives each that of the error on a resource interface.
   * @defaultValue 'soap'
   */
  statusMode?: 'soap' | 'http'
  /** One-way messages that may be in work at once; more get 503. @defaultValue 1,000 */
  maxPendingOneWay?: number
  /**
   * Called with every fault and `{ error, operation, request }`, for logs and metrics. What it
   * throws is ignored.
   */
  onFault?: (fault: SoapFault, about: FaultContext) => void
}

/** Context of a fault, for logs. */
export interface FaultContext {
  /** The error behind the fault. */
  readonly error: unknown
  /** Name of the operation, where it was found. */
  readonly operation: string | undefined
  /** Without the message: it may hold a password. */
  readonly request: Omit<SoapRequest, 'body'>
}

/**
 * One version (`wsdl`, `operations`), or several at one address (`versions`): the Body of a message
 * chooses.
 */
export type SoapServiceOptions = ServiceSettings & (ServiceVersion | { versions: readonly ServiceVersion[] })

const SETTINGS = [
  'resolveImport',
  'acceptSoap11',
  'limits',
  'roles',
  'understoodHeaders',
  'security',
  'publicOperations',
  'authorize',
  'addressing',
  'attachments',
  'streamedOperations',
  'maxStreamBytes',
  'interceptors',
  'requireHeaders',
  'faultNamespace',
  'statusMode',
  'maxPendingOneWay',
  'onFault',
]

/** Refuses options that do not exist or have no sense, with a TypeError. */
export function checkOptions(options: SoapServiceOptions): readonly ServiceVersion[] {
  assertKnownOptions('soap-envelope: soapService', options, [...SETTINGS, 'wsdl', 'operations', 'name', 'versions'])
  const { maxPendingOneWay = 1, statusMode = 'soap' } = options
  if (!Number.isSafeInteger(maxPendingOneWay) || maxPendingOneWay < 1)
    throw new TypeError(
      `soap-envelope: soapService: maxPendingOneWay must be a positive integer, got ${inspectValue(maxPendingOneWay)}`,
    )
  if (statusMode !== 'soap' && statusMode !== 'http')
    throw new TypeError(
      `soap-envelope: soapService: statusMode must be "soap" or "http", got ${inspectValue(statusMode)}`,
    )
  const versions = 'versions' in options ? options.versions : [options]
  if (versions.length === 0) throw new TypeError('soap-envelope: soapService: versions must not be empty')
  return versions
}
