import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'
import { checkRelation, isAddressing, requestBlocks } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { type Envelope, parseEnvelope } from '../envelope/parse.ts'
import { isFault, readFault } from '../envelope/read-fault.ts'
import { readStream } from '../envelope/stream.ts'
import { writeEnvelope } from '../envelope/write.ts'
import { findItems, writeStream } from '../envelope/write-stream.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import { DEFAULT_ATTACHMENTS, innerContentType, isMultipart, packXop, unpack } from '../mime/packaging.ts'
import { attachmentWriter, resolveIncludes } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { type TokenCredentials, writeSecurity, writeUsernameToken } from '../security/write-token.ts'
import { decodeHeaders, encodeHeaders, type HeaderValues } from '../service/headers.ts'
import type { OperationTypes } from '../service/options.ts'
import type { OutgoingMessage } from '../service/security.ts'
import { type Contract, parseContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import { readContentType } from '../xml/content-type.ts'
import type { XmlElement } from '../xml/element.ts'
import { limitsOf, type MessageLimits } from '../xml/limits.ts'
import { clark, type QName, type SoapVersion } from '../xml/names.ts'
import { exchange } from './exchange.ts'

/** What the operations of a port type take and return. `svc-soap types` writes one from a WSDL. */
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
   * Whether binary values of 1 KiB and more are sent as attachments (MTOM/XOP). @defaultValue false
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

/** What one call adds to the options of its client. */
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
  /** Does the same and returns the headers of the response too. */
  send<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply<Port[Name]>>
  /**
   * Does the same for an output that ends with a repeated element, which becomes an async iterable:
   * its items are read and decoded while they are iterated. Limits hold for each item, and
   * `timeoutMs` for the whole.
   */
  stream<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions<Port[Name]>,
  ): Promise<SoapReply>
}

const OPTIONS = [
  'endpoint',
  'version',
  'addressing',
  'mtom',
  'attachments',
  'credentials',
  'security',
  'headers',
  'limits',
  'timeoutMs',
  'idempotentOperations',
  'maxRetries',
  'interceptors',
  'fetch',
]

/** Creates a client of a contract. Responses are checked against the schema like requests are. */
export function soapClient<Port extends PortType = PortType>(
  wsdl: string | Contract,
  options: SoapClientOptions = {},
): SoapClient<Port> {
  assertKnownOptions('soap-envelope: soapClient', options, OPTIONS)
  const contract = typeof wsdl === 'string' ? parseContract(wsdl) : wsdl
  const endpoint = options.endpoint ?? contract.address ?? ''
  if (!/^https?:/i.test(endpoint) || !URL.canParse(endpoint))
    throw new TypeError(`soap-envelope: soapClient: endpoint must be a URL of HTTP, got ${inspectValue(endpoint)}`)
  for (const name of options.idempotentOperations ?? []) operationNamed(name, contract)
  const { interceptors = [] } = options

  const send = (
    name: string,
    input: unknown,
    callOptions: CallOptions = {},
    isStreamed = false,
  ): Promise<SoapReply> => {
    const operation = operationNamed(name, contract)
    const call: ClientCall = { operation: name, input, options: callOptions }
    const step = (at: number): Promise<SoapReply> => {
      const interceptor = interceptors[at]
      return interceptor
        ? interceptor(call, () => step(at + 1))
        : request(operation, call, { ...options, endpoint }, contract, isStreamed)
    }
    return step(0)
  }
  return {
    call: async (name, input, callOptions) => (await send(name, input, callOptions as CallOptions)).output,
    send: async (name, input, callOptions) =>
      (await send(name, input, callOptions as CallOptions)) as SoapReply<Port[typeof name]>,
    stream: (name, input, callOptions) => send(name, input, callOptions as CallOptions, true),
  }
}

function operationNamed(name: string, { operations, portType, ignored }: Contract): Operation {
  const operation = operations.get(name)
  if (operation) return operation
  const reason = ignored.find((text) => text.startsWith(`the operation ${name} `))
  throw new TypeError(`soap-envelope: soapClient: ${reason ?? `${portType} has no operation ${inspectValue(name)}`}`)
}

async function request(
  operation: Operation,
  { input, options: call }: ClientCall,
  options: SoapClientOptions & { endpoint: string },
  contract: Contract,
  isStreamed: boolean,
): Promise<SoapReply> {
  const { version = contract.version, credentials, security, addressing = contract.usesAddressing } = options
  const addressed = addressing ? requestBlocks(operation.input.action, options.endpoint) : undefined
  const tokens = credentials ? writeUsernameToken(credentials) : ''
  const declared = encodeHeaders(operation.input, (call.inputHeaders ?? {}) as HeaderValues)
  const list = operation.input.parts.length === 1 ? operation.input.parts[0]?.list() : undefined
  const items = findItems(input, list)
  if (list && items && security) throw new TypeError('soap-envelope: a message with streamed items cannot be signed')
  if (list && items) {
    const headers = [
      ...(tokens === '' ? [] : [writeSecurity(tokens)]),
      ...(addressed?.blocks ?? []),
      ...declared,
      ...(call.headerBlocks ?? []),
    ]
    const pieces = await writeStream({ version, headers, value: input, items, list })
    const response = await exchange(
      {
        headers: { ...typeHeaders(version, operation.action), ...options.headers, ...call.headers },
        body: ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()),
        signal: call.signal,
        isIdempotent: false,
      },
      options,
    )
    return await readReply(operation, response, options, addressed?.messageId, isStreamed)
  }
  const writer = options.mtom ? attachmentWriter() : undefined
  const body = operation.input.encode(input, writer?.attach)
  const headers = [...(addressed?.blocks ?? []), ...declared, ...(call.headerBlocks ?? [])]
  const xml = security
    ? security.protect({ version, body, headers, attachments: writer?.attachments ?? [], tokens })
    : writeEnvelope({ version, body, headers: tokens === '' ? headers : [writeSecurity(tokens), ...headers] })
  const packed = writer?.attachments.length ? packXop(xml, writer.attachments, version, operation.action) : undefined
  const types = typeHeaders(version, operation.action)
  if (packed) types['Content-Type'] = packed.contentType
  const response = await exchange(
    {
      headers: { ...types, ...options.headers, ...call.headers },
      body: packed ? Buffer.concat(packed.pieces.map((piece) => Buffer.from(piece as string))) : xml,
      signal: call.signal,
      isIdempotent: options.idempotentOperations?.includes(operation.name) ?? false,
    },
    options,
  )
  return await readReply(operation, response, options, addressed?.messageId, isStreamed)
}

async function readReply(
  operation: Operation,
  response: Response,
  options: SoapClientOptions,
  messageId: string | undefined,
  isStreamed: boolean,
): Promise<SoapReply> {
  const { status, headers: httpHeaders } = response
  const outerType = httpHeaders.get('content-type') ?? ''
  const isPacked = isMultipart(outerType)
  const contentType = isPacked ? innerContentType(outerType) : outerType
  const isSoap = /^(application\/soap\+xml|text\/xml)\b/i.test(contentType)
  if (!isSoap) {
    const bytes = await response.arrayBuffer()
    if (operation.output === undefined && bytes.byteLength === 0 && response.ok)
      return { output: undefined, headers: {}, envelope: undefined, attachments: [], status, httpHeaders }
    throw new Error(`the service responded ${status} with ${contentType || 'no Content-Type'}, which is not SOAP`)
  }
  const maxBodyElements = operation.output?.parts.length || 1
  const limits = limitsOf('soap-envelope: soapClient', options.limits)
  const attachments = { ...DEFAULT_ATTACHMENTS, ...options.attachments }
  const received = response.body ?? new Uint8Array(0)
  const packed = isPacked ? await unpack(received, outerType, attachments, limits.maxBytes) : undefined
  const source = packed?.root ?? received
  const bound = new Set(operation.output?.headers.map((header) => clark(header.element)))
  if (options.security?.verify) bound.add(clark(options.security.header))
  const reading = {
    contentType,
    limits,
    maxBodyElements,
    understoodHeaders: (block: HeaderBlock) =>
      bound.has(clark(block.element)) || (messageId !== undefined && isAddressing(block)),
  }
  const { envelope, value } =
    isStreamed && response.body && !packed
      ? await readStream(
          response.body,
          {
            ...reading,
            maxStreamBytes: Number.POSITIVE_INFINITY,
            findList: (element) => findOutputList(operation, element),
          },
          readContentType(contentType),
        )
      : { envelope: await parseEnvelope(source, reading), value: undefined }
  if (packed?.isXop) resolveIncludes(envelope.root, packed.attachments)
  const { body, version, bodyElements } = envelope
  const beside = packed && !packed.isXop ? packed.attachments : []
  await options.security?.verify?.(envelope, beside)
  if (messageId !== undefined) checkRelation(envelope, messageId)
  if (body && isFault(body)) throw readFault(body, version, status, operation.faults)
  if (operation.output === undefined)
    return { output: undefined, headers: {}, envelope, attachments: beside, status, httpHeaders }
  const { element } = operation.output
  if (element && (!body || clark(body) !== clark(element)))
    throw new Error(`the service responded to ${operation.name} with another message`)
  const output = value ?? operation.output.decode(bodyElements)
  return {
    output,
    headers: decodeHeaders(operation.output, envelope, false),
    envelope,
    attachments: beside,
    status,
    httpHeaders,
  }
}

/** The list that an output ends with, if the element is that output. */
function findOutputList({ output }: Operation, payload: XmlElement): ListCodec | undefined {
  const isOutput = output?.parts.length === 1 && output.element && clark(output.element) === clark(payload)
  return isOutput ? output.parts[0]?.list() : undefined
}

function typeHeaders(version: SoapVersion, action: string): Record<string, string> {
  if (version === '1.1') return { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: `"${action}"` }
  const parameter = action === '' ? '' : `; action="${action}"`
  return { 'Content-Type': `application/soap+xml; charset=utf-8${parameter}` }
}
