import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'
import { checkRelation, isAddressing, requestBlocks } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { parseEnvelope } from '../envelope/parse.ts'
import { isFault, readFault } from '../envelope/read-fault.ts'
import { readStream } from '../envelope/stream.ts'
import { writeEnvelope } from '../envelope/write.ts'
import { findItems, writeStream } from '../envelope/write-stream.ts'
import type { SoapFault } from '../fault.ts'
import { DEFAULT_ATTACHMENTS, innerContentType, isMultipart, packXop, unpack } from '../mime/packaging.ts'
import { attachmentWriter, resolveIncludes } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { writeSecurity, writeUsernameToken } from '../security/write-token.ts'
import { decodeHeaders, encodeHeaders, type HeaderValues } from '../service/headers.ts'
import { type Contract, parseContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import { readContentType } from '../xml/content-type.ts'
import type { XmlElement } from '../xml/element.ts'
import { limitsOf } from '../xml/limits.ts'
import { clark, type SoapVersion } from '../xml/names.ts'
import { exchange } from './exchange.ts'
import type { CallOptions, ClientCall, PortType, SoapClient, SoapClientOptions, SoapReply } from './options.ts'

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
    const step = (index: number): Promise<SoapReply> => {
      const interceptor = interceptors[index]
      return interceptor
        ? interceptor(call, () => step(index + 1))
        : request(operation, call, { ...options, endpoint }, contract, isStreamed)
    }
    return step(0)
  }
  return {
    call: async (name, input, callOptions) => (await send(name, input, callOptions as CallOptions)).output,
    send: async (name, input, callOptions) =>
      (await send(name, input, callOptions as CallOptions)) as SoapReply<Port[typeof name]>,
    declaredFault: (name, error) => findDeclaredFault(operationNamed(name, contract), error) as never,
    stream: (name, input, callOptions) => send(name, input, callOptions as CallOptions, true),
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
  if (options.mtom) types['Accept'] = `multipart/related, ${version === '1.1' ? 'text/xml' : 'application/soap+xml'}`
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
