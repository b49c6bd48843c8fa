import type { Envelope } from '../envelope/parse.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import type { TokenCredentials } from '../security/write-token.ts'
import type { HeaderValues } from '../service/headers.ts'
import type { OperationTypes } from '../service/options.ts'
import type { OutgoingMessage } from '../service/security.ts'
import type { Streamable } from '../types/streamable.ts'
import type { MessageLimits } from '../xml/limits.ts'
import type { QName, SoapVersion } from '../xml/names.ts'

/** The types of the operations of a port type, as `svc-soap types` writes them. */
export type PortType = Record<string, OperationTypes>

/** Options for `soapClient()`. */
export interface SoapClientOptions {
  /** URL of the service, without credentials. @defaultValue the address in the WSDL */
  endpoint?: string
  /** SOAP version of the requests. @defaultValue that of the port of the contract */
  version?: SoapVersion
  /**
   * Whether to use WS-Addressing 1.0: requests have an id and an action, and responses must relate
   * to their requests.
   * @defaultValue whether the binding of the contract has `UsingAddressing`
   */
  addressing?: boolean
  /**
   * Whether to send binary values of 1 KiB or more as attachments (MTOM/XOP), and to request the
   * same with `Accept`. @defaultValue false
   */
  mtom?: boolean
  /**
   * Maximum sizes of the attachments of a response. @defaultValue 100, 10 MiB each, 50 MiB in total
   */
  attachments?: Partial<AttachmentLimits>
  /** Credentials for a WS-Security UsernameToken in every message. */
  credentials?: TokenCredentials
  /**
   * Signs requests and verifies responses: `clientSignature()` of `@svc/soap-envelope/signature`.
   */
  security?: ClientSecurity
  /** HTTP headers of every request, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>
  /** Maximum sizes of a response. @defaultValue 1 MiB, depth 64, 20000 elements … */
  limits?: Partial<MessageLimits>
  /** Maximum duration of an attempt, in milliseconds. @defaultValue 30000 */
  timeoutMs?: number
  /** Names of operations to retry after a network error, a timeout, 429 or 503. @defaultValue [] */
  idempotentOperations?: readonly string[]
  /** Maximum number of retries of an idempotent operation. @defaultValue 2 */
  maxRetries?: number
  /** Functions around every call, the first outermost. @defaultValue [] */
  interceptors?: readonly ClientInterceptor[]
  /**
   * Function that sends the requests. @defaultValue the `fetch` of Node.js, which keeps connections
   * open
   */
  fetch?: typeof fetch
}

/** Protection of the messages of a client, such as signatures. */
export interface ClientSecurity {
  /** Name of the header block with the protection, which is understood in responses. */
  readonly header: QName
  /** Returns the envelope of a request. */
  protect(message: OutgoingMessage): string
  /**
   * Rejects a response that is not protected as required. @defaultValue responses are
   * not checked
   */
  verify?(envelope: Envelope, attachments: readonly Attachment[]): void | Promise<void>
}

/** Options for one call, in addition to those of the client. */
export interface CallOptions<Types extends OperationTypes = OperationTypes> {
  /** The header blocks of the request in the contract, by the names of their parts. */
  inputHeaders?: Types extends { readonly inputHeaders: infer Headers } ? Partial<Headers> : HeaderValues
  /** XML of additional header blocks; `env` is bound to the namespace of the envelope. */
  headerBlocks?: readonly string[]
  /** HTTP headers of this request. They override those of the client with the same name. */
  headers?: Readonly<Record<string, string>>
  /** Aborts the call: the promise is rejected with its reason. */
  signal?: AbortSignal
}

/** A declared fault with the value of its element. */
export interface NamedFault<Name, Value> {
  /** Name of the `wsdl:fault`. */
  readonly name: Name
  /** The value of its element. */
  readonly value: Value
}

/** A declared fault of an operation, discriminated by its name. */
export type TypedFault<Types extends OperationTypes> = Types extends { readonly faults: infer Faults }
  ? { [Name in keyof Faults]: NamedFault<Name, Faults[Name]> }[keyof Faults]
  : NamedFault<string, unknown>

/** A response of a service. */
export interface SoapReply<Types extends OperationTypes = OperationTypes, Output = Types['output']> {
  /** The value in the Body; `undefined` for a one-way operation. */
  readonly output: Output
  /** The header blocks of the response in the contract, by the names of their parts. */
  readonly outputHeaders: Types extends { readonly outputHeaders: infer Headers } ? Partial<Headers> : HeaderValues
  /** The whole message; `undefined` for an empty response. */
  readonly envelope: Envelope | undefined
  /** Attachments that the message does not include by XOP. */
  readonly attachments: readonly Attachment[]
  /** HTTP status. */
  readonly status: number
  /** HTTP headers. */
  readonly httpHeaders: Headers
}

/** A call before it is sent. An interceptor may change its input and options. */
export interface ClientCall {
  /** Name of the operation. */
  readonly operation: string
  /** The input to send. */
  input: unknown
  /** The options of the call. */
  options: CallOptions
}

/** Called for every call. `next()` sends it. */
export type ClientInterceptor = (call: ClientCall, next: () => Promise<SoapReply>) => Promise<SoapReply>

/** A client of a contract. */
export interface SoapClient<Port extends PortType> {
  /**
   * Calls an operation and returns the output of its response; `undefined` for a one-way operation.
   * Rejects with a `SoapFault` if the service responds with one, and with a `TypeError` if the
   * input is invalid.
   */
  call<Name extends keyof Port & string>(
    operation: Name,
    input: Streamable<Port[Name]['input']>,
    options?: CallOptions<Port[Name]>,
  ): Promise<Port[Name]['output']>
  /** Returns the declared fault with which a call was rejected; `undefined` for any other error. */
  declaredFault<Name extends keyof Port & string>(operation: Name, error: unknown): TypedFault<Port[Name]> | undefined
  /** Calls an operation like `call()`, and returns the whole response. */
  send<Name extends keyof Port & string>(
    operation: Name,
    input: Streamable<Port[Name]['input']>,
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply<Port[Name]>>
  /**
   * Calls an operation like `send()`. A repeated element at the end of the output becomes an async
   * iterable, whose items are decoded while they arrive. Limits apply to each item, and `timeoutMs`
   * to the whole response.
   */
  stream<Name extends keyof Port & string>(
    operation: Name,
    input: Streamable<Port[Name]['input']>,
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply<Port[Name], Streamable<Port[Name]['output']>>>
}
