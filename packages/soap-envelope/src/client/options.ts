import type { Envelope } from '../envelope/parse.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import type { TokenCredentials } from '../security/write-token.ts'
import type { HeaderValues } from '../service/headers.ts'
import type { OperationTypes } from '../service/options.ts'
import type { OutgoingMessage } from '../service/security.ts'
import type { MessageLimits } from '../xml/limits.ts'
import type { QName, SoapVersion } from '../xml/names.ts'

/** The operations of a port type, with their types. `svc-soap types` writes one from a WSDL. */
export type PortType = Record<string, OperationTypes>

/** Options for `soapClient()`. */
export interface SoapClientOptions {
  /** Address of the service. @defaultValue the address in the WSDL */
  endpoint?: string
  /** @defaultValue that of the port of the contract */
  version?: SoapVersion
  /**
   * Whether WS-Addressing 1.0 is used: requests have an id and an action, and a response must
   * relate to its request.
   * @defaultValue whether the binding of the contract has `UsingAddressing`
   */
  addressing?: boolean
  /**
   * Whether binary values of 1 KiB and more are sent as attachments (MTOM/XOP), and the service is
   * asked to do the same by `Accept`. @defaultValue false
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
  /** Maximum size and depth of a response. */
  limits?: Partial<MessageLimits>
  /** Maximum duration of one attempt, in milliseconds. @defaultValue 30,000 */
  timeoutMs?: number
  /**
   * Names of operations that may be sent again after a network error, a timeout, 429 or 503.
   * @defaultValue []
   */
  idempotentOperations?: readonly string[]
  /** Number of times that an idempotent operation is sent again. @defaultValue 2 */
  maxRetries?: number
  /** Run around every call, the first outermost. @defaultValue [] */
  interceptors?: readonly ClientInterceptor[]
  /** @defaultValue the `fetch` of Node, which keeps connections open */
  fetch?: typeof fetch
}

/** Protection of the messages of a client. */
export interface ClientSecurity {
  /** The header block that carries the protection; it is understood in responses. */
  readonly header: QName
  /** Writes the envelope of a request. */
  protect(message: OutgoingMessage): string
  /**
   * Rejects a response that is not protected as required. @defaultValue responses are
   * not checked
   */
  verify?(envelope: Envelope, attachments: readonly Attachment[]): void | Promise<void>
}

/** Options for one call, in addition to those of its client. */
export interface CallOptions<Types extends OperationTypes = OperationTypes> {
  /** Header blocks that the contract binds to the request, by the names of their parts. */
  inputHeaders?: Types extends { readonly inputHeaders: infer Headers } ? Partial<Headers> : HeaderValues
  /** XML of further header blocks; `env` is bound to the namespace of the envelope. */
  headerBlocks?: readonly string[]
  /** HTTP headers of this request. */
  headers?: Readonly<Record<string, string>>
  /** Ends the call: the promise is rejected with its reason. */
  signal?: AbortSignal
}

/** A fault of one name, with the value of its element. */
export interface NamedFault<Name, Value> {
  /** Name of the `wsdl:fault`. */
  readonly name: Name
  /** The value of its element. */
  readonly value: Value
}

/** A fault that an operation declares: its name says what its value is. */
export type TypedFault<Types extends OperationTypes> = Types extends { readonly faults: infer Faults }
  ? { [Name in keyof Faults]: NamedFault<Name, Faults[Name]> }[keyof Faults]
  : NamedFault<string, unknown>

/** A response of a service. */
export interface SoapReply<Types extends OperationTypes = OperationTypes> {
  /** The value in the Body; `undefined` for a one-way operation. */
  readonly output: Types['output']
  /** The header blocks that the contract binds to the response, by the names of their parts. */
  readonly headers: Types extends { readonly outputHeaders: infer Headers } ? Partial<Headers> : HeaderValues
  /** The whole message; `undefined` for an empty response. */
  readonly envelope: Envelope | undefined
  /** Attachments that the message itself does not include. */
  readonly attachments: readonly Attachment[]
  /** HTTP status. */
  readonly status: number
  /** HTTP headers. */
  readonly httpHeaders: Headers
}

/** A call on its way to the service. An interceptor may change what is sent. */
export interface ClientCall {
  /** Name of the operation. */
  readonly operation: string
  /** The input as it will be sent. */
  input: unknown
  /** The options of the call. */
  options: CallOptions
}

/** Runs around every call: before `next()`, which sends it, and after it. */
export type ClientInterceptor = (call: ClientCall, next: () => Promise<SoapReply>) => Promise<SoapReply>

/** Calls the operations of one contract. */
export interface SoapClient<Port extends PortType> {
  /**
   * Sends a message and returns what the response holds; nothing for a one-way operation. Rejects
   * with a SoapFault if the service responds with one, and with a TypeError if the input does not
   * fit the contract.
   */
  call<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions<Port[Name]>,
  ): Promise<Port[Name]['output']>
  /**
   * Returns the fault that an operation declares and that a call was rejected with; `undefined` for
   * every other error.
   */
  declaredFault<Name extends keyof Port & string>(operation: Name, error: unknown): TypedFault<Port[Name]> | undefined
  /** Calls an operation, and returns the headers of the response too. */
  send<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply<Port[Name]>>
  /**
   * Calls an operation whose output ends with a repeated element. It becomes an async iterable: its
   * items are read and decoded while they are iterated. Limits hold for each item, and `timeoutMs`
   * for the whole.
   */
  stream<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply>
}
