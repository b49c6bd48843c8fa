import { inspectValue } from '../../../internal/options.ts'
import { requestBlocks } from '../addressing/addressing.ts'
import { assertHeaders, assertOptions, type OptionRules, TIMEOUT_MS } from '../assert-options.ts'
import { formatEnvelope } from '../envelope/write.ts'
import { findItems, writeStream } from '../envelope/write-stream.ts'
import type { SoapFault } from '../fault.ts'
import { DEFAULT_ATTACHMENTS, packXop } from '../mime/packaging.ts'
import { attachmentWriter } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { assertTokenCredentials, writeSecurity, writeUsernameToken } from '../security/write-token.ts'
import { encodeHeaders, type HeaderValues } from '../service/headers.ts'
import { assertSecurity } from '../service/security.ts'
import type { Streamable } from '../types/streamable.ts'
import { type Contract, readContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import { completeLimits, resolveLimits } from '../xml/limits.ts'
import type { SoapVersion } from '../xml/names.ts'
import { exchange, type WrittenMessage } from './exchange.ts'
import { hasCredentials, hideSecrets } from './hide-secrets.ts'
import type { CallOptions, ClientCall, PortType, SoapClient, SoapClientOptions, SoapReply } from './options.ts'
import { markFault, type ReceivedReply, type ReplyLimits, readReply, receiveReply } from './read-reply.ts'

const OPTIONS: OptionRules<SoapClientOptions> = {
  endpoint: 'string',
  version: ['1.1', '1.2'],
  addressing: 'boolean',
  mtom: 'boolean',
  attachments: 'any',
  credentials: 'any',
  security: 'any',
  headers: 'any',
  limits: 'any',
  timeoutMs: TIMEOUT_MS,
  idempotentOperations: 'strings',
  maxRetries: { min: 0 },
  interceptors: 'functions',
  fetch: 'function',
}
const CALL_OPTIONS: OptionRules<CallOptions> = {
  inputHeaders: 'object',
  headerBlocks: 'strings',
  headers: 'any',
  signal: 'any',
}

/** Creates a client of a contract. Requests and responses are validated against the schema. */
export function soapClient<Port extends PortType = PortType>(
  wsdl: string | Contract,
  options: SoapClientOptions = {},
): SoapClient<Port> {
  const contract = readContract('soap-envelope: soapClient', wsdl)
  const settings = resolveSettings(options, contract)
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
    const step = (index: number): Promise<SoapReply> => {
      const interceptor = interceptors[index]
      return interceptor
        ? interceptor(call, () => step(index + 1))
        : request(operation, call, settings, contract, isStreamed)
    }
    return step(0)
  }
  return {
    call: async (name, input, callOptions) => (await send(name, input, callOptions as CallOptions)).output,
    send: async (name, input, callOptions) =>
      (await send(name, input, callOptions as CallOptions)) as SoapReply<Port[typeof name]>,
    declaredFault: (name, error) => findDeclaredFault(operationNamed(name, contract), error) as never,
    stream: async (name, input, callOptions) =>
      (await send(name, input, callOptions as CallOptions, true)) as SoapReply<
        Port[typeof name],
        Streamable<Port[typeof name]['output']>
      >,
  }
}

function operationNamed(name: string, { operations, portType, ignored }: Contract): Operation {
  const operation = operations.get(name)
  if (operation) return operation
  const reason = ignored.find((text) => text.startsWith(`the operation ${name} `))
  throw new TypeError(`soap-envelope: soapClient: ${reason ?? `${portType} has no operation ${inspectValue(name)}`}`)
}

function findDeclaredFault({ faults }: Operation, error: unknown): SoapFault['declared'] {
  const { declared } = (error ?? {}) as Partial<SoapFault>
  return faults.some(({ name }) => name === declared?.name) ? declared : undefined
}

type SendOptions = SoapClientOptions & Required<Pick<SoapClientOptions, 'endpoint'>> & ReplyLimits

function resolveSettings(options: SoapClientOptions, contract: Contract): SendOptions {
  const owner = 'soap-envelope: soapClient'
  assertOptions(owner, options, OPTIONS)
  const { endpoint = contract.address ?? '', attachments = {}, credentials, security } = options
  if (!/^https?:/i.test(endpoint) || !URL.canParse(endpoint))
    throw new TypeError(`${owner}: endpoint must be a URL of HTTP, got ${inspectValue(hideSecrets(endpoint))}`)
  if (hasCredentials(new URL(endpoint)))
    throw new TypeError(`${owner}: endpoint must not contain credentials: set headers.Authorization`)
  if (credentials !== undefined) assertTokenCredentials(owner, credentials)
  if (security !== undefined)
    assertSecurity(owner, 'security', security, 'protect', 'a ClientSecurity such as clientSignature()')
  assertHeaders(owner, options.headers)
  return {
    ...options,
    endpoint,
    limits: resolveLimits(owner, options.limits),
    attachments: completeLimits(owner, 'attachments', attachments, DEFAULT_ATTACHMENTS),
  }
}

async function request(
  operation: Operation,
  call: ClientCall,
  options: SendOptions,
  contract: Contract,
  isStreamed: boolean,
): Promise<SoapReply> {
  assertOptions('soap-envelope: call', call.options, CALL_OPTIONS)
  assertHeaders('soap-envelope: call', call.options.headers)
  const { addressing = contract.usesAddressing } = options
  const addressed = addressing ? requestBlocks(operation.input.action, options.endpoint) : undefined
  const { inputHeaders = {}, headerBlocks = [] } = call.options
  const message: OutgoingCall = {
    operation,
    input: call.input,
    version: options.version ?? contract.version,
    headers: [
      ...(addressed?.blocks ?? []),
      ...encodeHeaders(operation.input, inputHeaders as HeaderValues),
      ...headerBlocks,
    ],
  }
  const list = operation.input.parts.length === 1 ? operation.input.parts[0]?.list() : undefined
  const items = findItems(call.input, list)
  const receive: Receive = (response) =>
    receiveReply(operation, response, options, addressed?.messageId, isStreamed).catch((error) => {
      throw markFault(error, response)
    })
  const received =
    list && items
      ? await sendItems(message, items, list, call.options, options, receive)
      : await sendWhole(message, call.options, options, receive)
  return await readReply(operation, received, options, addressed?.messageId)
}

/** A request before it is written. */
interface OutgoingCall {
  readonly operation: Operation
  readonly input: unknown
  readonly version: SoapVersion
  /** XML of the other header blocks. */
  readonly headers: readonly string[]
}

type Receive = (response: Response) => Promise<ReceivedReply>

async function sendItems(
  { operation, input, version, headers }: OutgoingCall,
  items: AsyncIterable<unknown>,
  list: ListCodec,
  { headers: httpHeaders, signal }: CallOptions,
  options: SendOptions,
  receive: Receive,
): Promise<ReceivedReply> {
  if (options.security) throw new TypeError('soap-envelope: a message with streamed items cannot be signed')
  const blocks = withTokens(headers, writeTokens(options))
  const pieces = await writeStream({ version, headers: blocks, value: input, items, list })
  const written = {
    headers: mergeHeaders(typeHeaders(version, operation.action), options.headers, httpHeaders),
    body: ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()),
  }
  return await exchange({ write: () => written, signal, isIdempotent: false }, options, receive)
}

async function sendWhole(
  { operation, input, version, headers }: OutgoingCall,
  { headers: httpHeaders, signal }: CallOptions,
  options: SendOptions,
  receive: Receive,
): Promise<ReceivedReply> {
  const { security, mtom } = options
  const writer = mtom ? attachmentWriter() : undefined
  const attachments = writer?.attachments ?? []
  const body = operation.input.encode(input, writer?.attach)
  const types = typeHeaders(version, operation.action)
  if (mtom) types['Accept'] = `multipart/related, ${version === '1.1' ? 'text/xml' : 'application/soap+xml'}`
  const write = (): WrittenMessage => {
    const tokens = writeTokens(options)
    const xml = security
      ? security.protect({ version, body, headers, attachments, tokens })
      : formatEnvelope({ version, body, headers: withTokens(headers, tokens) })
    const packed = attachments.length > 0 ? packXop(xml, attachments, version, operation.action) : undefined
    if (packed) types['Content-Type'] = packed.contentType
    return {
      headers: mergeHeaders(types, options.headers, httpHeaders),
      body: packed ? Buffer.concat(packed.pieces.map((piece) => Buffer.from(piece as string))) : xml,
    }
  }
  const isIdempotent = options.idempotentOperations?.includes(operation.name) ?? false
  return await exchange({ write, signal, isIdempotent }, options, receive)
}

/** Writes the security tokens of a message: none without credentials. */
function writeTokens({ credentials }: SendOptions): string {
  return credentials ? writeUsernameToken(credentials) : ''
}

function withTokens(headers: readonly string[], tokens: string): readonly string[] {
  return tokens === '' ? headers : [writeSecurity(tokens), ...headers]
}

/** Names are compared without case: two of one name would be joined to one value. */
function mergeHeaders(
  types: Record<string, string>,
  ...more: SoapClientOptions['headers'][]
): WrittenMessage['headers'] {
  if (more.every((record) => record === undefined)) return types
  const headers = new Headers(types)
  for (const record of more) for (const [name, value] of Object.entries(record ?? {})) headers.set(name, value)
  return headers
}

function typeHeaders(version: SoapVersion, action: string): Record<string, string> {
  if (version === '1.1') return { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: `"${action}"` }
  const parameter = action === '' ? '' : `; action="${action}"`
  return { 'Content-Type': `application/soap+xml; charset=utf-8${parameter}` }
}
