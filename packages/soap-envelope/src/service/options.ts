import { assertNames, assertOptions, type OptionRules } from '../assert-options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import type { SoapFault, SoapFaultInit } from '../fault.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import type { ResolveImport } from '../schema/documents.ts'
import type { Streamable } from '../types/streamable.ts'
import type { Contract } from '../wsdl/contract.ts'
import type { MessageLimits } from '../xml/limits.ts'
import type { QName, SoapVersion } from '../xml/names.ts'
import type { AuthenticatedUser, SoapRequest } from './request.ts'
import { assertSecurity, type SecurityMechanism } from './security.ts'

/** Context of a call, with the types of its header blocks and of its declared faults. */
export interface CallContext<InputHeaders extends object, OutputHeaders extends object, Faults extends object> {
  /** Name of the operation. */
  readonly operation: string
  /** SOAP version of the message and its response. */
  readonly version: SoapVersion
  /** Target namespace of the contract, which names the version of the API. */
  readonly namespace: string
  /**
   * The user who sent the message; `undefined` if it has no credentials and the operation needs
   * none.
   */
  readonly user: AuthenticatedUser | undefined
  /** The header blocks of the request in the contract, by the names of their parts. */
  readonly inputHeaders: InputHeaders
  /** The header blocks of the response, by the names of their parts. Set them here. */
  readonly outputHeaders: Partial<OutputHeaders>
  /**
   * Creates a declared fault to throw, from its name and the value of its element. Its code is
   * Sender unless `init` has another one.
   */
  readonly fault: <Name extends keyof Faults & string>(
    name: Name,
    value: Faults[Name],
    init: DeclaredFaultInit,
  ) => SoapFault
  /** HTTP headers of the response. Set them here. */
  readonly httpHeaders: Record<string, string>
  /** Attachments that the message does not include by XOP. */
  readonly attachments: readonly Attachment[]
  /** The message. */
  readonly envelope: Envelope
  /** The HTTP request of the message. */
  readonly request: SoapRequest
}

/**
 * Context of a call, the second argument of a handler. Those of two operations with the same header
 * blocks and faults are the same type.
 */
export type OperationContext<Types extends OperationTypes = OperationTypes> = CallContext<
  Property<Types, 'inputHeaders'>,
  Property<Types, 'outputHeaders'>,
  Property<Types, 'faults'>
>

/** Options for a declared fault, in addition to its value. */
export type DeclaredFaultInit = Partial<Omit<SoapFaultInit, 'declared' | 'detail' | 'reason'>> &
  Pick<SoapFaultInit, 'reason'>

/** Types of an operation, as `svc-soap types` writes them. */
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

/** A call before it reaches the handler. */
export interface OperationCall {
  /** The input of the handler. An interceptor may replace it. */
  input: unknown
  /** The context of the handler. */
  readonly context: OperationContext
}

/**
 * Called for every operation. `next()` calls the handler. Returns the value of the response; a
 * throw becomes a fault.
 */
export type Interceptor = (call: OperationCall, next: () => unknown) => unknown

/**
 * Handler of an operation. Returns the value of the response; a throw or a rejection becomes a
 * fault.
 */
export type OperationHandler<Input = never, Output = unknown, Types extends OperationTypes = OperationTypes> = (
  input: Input,
  context: OperationContext<Types>,
) => Output | Promise<Output>

/**
 * The handlers of a port type with the types that `svc-soap types` writes:
 * `Handlers<CustomerPortType>`. The second argument names the `streamedOperations`:
 * `Handlers<CustomerPortType, 'upload'>`.
 */
export type Handlers<Port extends Record<string, OperationTypes>, StreamedOperations extends keyof Port = never> = {
  [Name in keyof Port]: OperationHandler<
    Name extends StreamedOperations ? Streamable<Port[Name]['input']> : Port[Name]['input'],
    Streamable<Port[Name]['output']>,
    Port[Name]
  >
}

/** A handler for each operation of a port type, by name. */
export type Operations = Readonly<Record<string, OperationHandler>>

/** A version of a service: its contract and handlers. */
export interface ServiceVersion {
  /** The WSDL as a string, or a contract from `parseContract()` or `loadContract()`. */
  wsdl: string | Contract
  /** The handlers, one for each operation of the port type. */
  operations: Operations
  /**
   * Name of the version in `?wsdl=<name>`, different for each. @defaultValue the last segment of
   * the target namespace, such as `v1`
   */
  name?: string
}

/** Options of a service that its versions share. */
export interface ServiceSettings {
  /** Returns the text of a document that the WSDL imports, if `wsdl` is a string. */
  resolveImport?: ResolveImport
  /** Whether to accept SOAP 1.1 (`text/xml`) too. @defaultValue true */
  acceptSoap11?: boolean
  /**
   * Maximum sizes of a message. A message that exceeds one gets a fault `LimitExceeded`.
   * @defaultValue 1 MiB, depth 64, 20000 elements …
   */
  limits?: Partial<MessageLimits>
  /** URIs of other roles of this service. @defaultValue [] */
  roles?: readonly string[]
  /**
   * Header blocks that are understood in addition to those of `security`: their names, or a
   * function that returns whether a block is understood. @defaultValue []
   */
  understoodHeaders?: readonly QName[] | ((block: HeaderBlock) => boolean)
  /**
   * Authentication by header blocks: `usernameToken()`, `authenticationHeader()`,
   * `x509Signature()`, or custom mechanisms. If set, every operation needs credentials; with `[]`
   * only those of HTTP. @defaultValue no credentials are needed
   */
  security?: readonly SecurityMechanism[]
  /** Names of operations that need no credentials. @defaultValue [] */
  publicOperations?: readonly string[]
  /**
   * Returns whether a user may call an operation; `false` becomes a fault `NotPermitted`. If set,
   * credentials are needed. @defaultValue every user may
   */
  authorize?: (user: AuthenticatedUser, operation: string) => boolean | Promise<boolean>
  /**
   * Whether to use WS-Addressing 1.0: actions are checked, and responses relate to their requests.
   * @defaultValue whether the binding of the contract has `UsingAddressing`
   */
  addressing?: boolean
  /**
   * Accepts attachments within these limits: MTOM/XOP, whose parts become binary values of the
   * message, and SOAP with Attachments. `{}` means the default limits. Requests with XOP, or with
   * `multipart/related` in `Accept`, get responses with XOP. @defaultValue rejected with 415
   */
  attachments?: Partial<AttachmentLimits>
  /**
   * Names of operations whose handlers get the repeated element at the end of the input as an async
   * iterable while the message arrives. Limits then apply to each item. Signatures cannot be
   * verified.
   * @defaultValue []
   */
  streamedOperations?: readonly string[]
  /** Maximum bytes of a message of these operations. @defaultValue 1073741824 (1 GiB) */
  maxStreamBytes?: number
  /** Functions around every handler, the first outermost. @defaultValue [] */
  interceptors?: readonly Interceptor[]
  /** Whether a request must have every header block of the contract. @defaultValue true */
  requireHeaders?: boolean
  /** Namespace of the subcodes of the faults. @defaultValue 'http://svc.example/ws/faults/v1' */
  faultNamespace?: string
  /**
   * HTTP status of faults: that of the SOAP binding (`'soap'`), or that of the same error in a REST
   * API (`'http'`). @defaultValue 'soap'
   */
  statusMode?: 'soap' | 'http'
  /** Maximum number of one-way messages in progress; more get 503. @defaultValue 1000 */
  maxPendingOneWay?: number
  /**
   * Replaces the error that a fault is created from: `httpError(503)` for a database that is
   * unavailable, say. `undefined` keeps it, and an error it throws is used as well.
   */
  mapError?: (error: unknown) => unknown
  /**
   * Called with every fault and its context, for logs and metrics. It cannot change the response;
   * an error it throws or rejects with is ignored.
   */
  onFault?: (fault: SoapFault, about: FaultContext) => void
}

/** Context of a fault, for logs. */
export interface FaultContext {
  /** The error behind the fault. */
  readonly error: unknown
  /** Name of the operation, if it is known. */
  readonly operation: string | undefined
  /** The request without its message, which may contain a password. */
  readonly request: Omit<SoapRequest, 'body'>
}

/**
 * Options for `soapService()`: one version (`wsdl`, `operations`), or several at one address
 * (`versions`), selected by the Body.
 */
export type SoapServiceOptions = ServiceSettings & (ServiceVersion | { versions: readonly ServiceVersion[] })

const SETTINGS: OptionRules<ServiceSettings> = {
  resolveImport: 'function',
  acceptSoap11: 'boolean',
  limits: 'any',
  roles: 'strings',
  understoodHeaders: 'any',
  security: 'objects',
  publicOperations: 'strings',
  authorize: 'function',
  addressing: 'boolean',
  attachments: 'any',
  streamedOperations: 'strings',
  maxStreamBytes: { min: 1 },
  interceptors: 'functions',
  requireHeaders: 'boolean',
  faultNamespace: 'string',
  statusMode: ['soap', 'http'],
  maxPendingOneWay: { min: 1 },
  mapError: 'function',
  onFault: 'function',
}
const VERSION: OptionRules<ServiceVersion> = { wsdl: 'any', operations: 'any', name: 'string' }

/** Rejects options that do not exist or have no sense, with a TypeError. */
export function checkOptions(options: SoapServiceOptions): readonly ServiceVersion[] {
  const owner = 'soap-envelope: soapService'
  assertOptions<object>(owner, options, { ...SETTINGS, ...VERSION, versions: 'objects' })
  const { understoodHeaders = [], security = [] } = options
  if (typeof understoodHeaders !== 'function') assertNames(owner, 'understoodHeaders', understoodHeaders, 'a function')
  if (options.faultNamespace === '') throw new TypeError(`${owner}: faultNamespace must not be empty`)
  for (const mechanism of security)
    assertSecurity(owner, 'security', mechanism, 'authenticate', 'mechanisms such as usernameToken()')
  if (!('versions' in options) || options.versions === undefined) return [options as ServiceVersion]
  const stray = Object.entries(options).find(([name, value]) => name in VERSION && value !== undefined)
  if (stray)
    throw new TypeError(`${owner}: ${stray[0]} cannot be combined with versions; set it on each entry of versions`)
  if (options.versions.length === 0) throw new TypeError(`${owner}: versions must not be empty`)
  for (const version of options.versions) assertOptions(`${owner}: versions`, version, VERSION)
  return options.versions
}
