import { checkRelation, isAddressing } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { NOTHING, type ParseEnvelopeOptions, parseEnvelope } from '../envelope/parse.ts'
import { isFault, readFault } from '../envelope/read-fault.ts'
import { readStream, type StreamedMessage } from '../envelope/stream.ts'
import { SoapFault } from '../fault.ts'
import type { AttachmentLimits } from '../mime/multipart.ts'
import { innerContentType, isMultipart, type Unpacked, unpack } from '../mime/packaging.ts'
import { resolveIncludes } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { decodeHeaders } from '../service/headers.ts'
import type { Operation } from '../wsdl/operations.ts'
import { readContentType } from '../xml/content-type.ts'
import type { XmlElement } from '../xml/element.ts'
import type { MessageLimits } from '../xml/limits.ts'
import { clark, isSameName } from '../xml/names.ts'
import type { SoapClientOptions, SoapReply } from './options.ts'

/** The limits of a response, complete. */
export interface ReplyLimits {
  limits: MessageLimits
  attachments: AttachmentLimits
}

/** A response that has arrived up to its items, not yet checked. */
export interface ReceivedReply {
  readonly response: Response
  /** `undefined` if the response is empty or not SOAP. */
  readonly message: StreamedMessage | undefined
  readonly isEmpty: boolean
  readonly packed: Unpacked | undefined
}

/**
 * Receives the response to a request. Rejects with a SoapFault if the message is invalid, and with
 * any other error only if the response breaks off.
 */
export async function receiveReply(
  operation: Operation,
  response: Response,
  options: SoapClientOptions & ReplyLimits,
  messageId: string | undefined,
  isStreamed: boolean,
): Promise<ReceivedReply> {
  const { outerType, contentType, isPacked } = readTypes(response)
  const mayBeEmpty = operation.output === undefined && response.ok
  const content = mayBeEmpty ? await skipEmpty(response.body) : response.body
  const isEmpty = mayBeEmpty && !content
  if (isEmpty || !/^(application\/soap\+xml|text\/xml)\b/i.test(contentType)) {
    await cancel(content)
    return { response, message: undefined, isEmpty, packed: undefined }
  }
  const reading = readingOptions(operation, contentType, options, messageId)
  const received = content ?? NOTHING
  const packed = isPacked ? await unpack(received, outerType, options.attachments, reading.limits.maxBytes) : undefined
  const message =
    isStreamed && content && !packed
      ? await readItems(operation, content, reading, response)
      : { envelope: await parseEnvelope(packed?.root ?? received, reading), value: undefined, cancel: () => {} }
  if (packed?.isXop) resolveIncludes(message.envelope.root, packed.attachments, options.attachments.maxTotalBytes)
  return { response, message, isEmpty, packed }
}

function readTypes({ headers }: Response): { outerType: string; contentType: string; isPacked: boolean } {
  const outerType = headers.get('content-type') ?? ''
  const isPacked = isMultipart(outerType)
  return { outerType, contentType: isPacked ? innerContentType(outerType) : outerType, isPacked }
}

/**
 * Checks and decodes a response. Rejects with a SoapFault if it is one.
 *
 * @param messageId - the id of the request, which the response must relate to
 */
export async function readReply(
  operation: Operation,
  received: ReceivedReply,
  options: SoapClientOptions,
  messageId: string | undefined,
): Promise<SoapReply> {
  const { response, message, isEmpty } = received
  const { status, headers: httpHeaders } = response
  if (isEmpty)
    return { output: undefined, outputHeaders: {}, envelope: undefined, attachments: [], status, httpHeaders }
  if (!message) {
    const type = readTypes(response).contentType || 'no Content-Type'
    throw new Error(`the service responded ${status} with ${type}, which is not SOAP`)
  }
  try {
    return await readMessage(operation, message, received, options, messageId)
  } catch (error) {
    message.cancel()
    throw markFault(error, response)
  }
}

/** Marks a fault as one of another service, by the `response` that errors of HTTP clients have. */
export function markFault(error: unknown, response: Response): unknown {
  if (error instanceof SoapFault)
    Object.defineProperties(error, { response: { value: response }, expose: { value: false } })
  return error
}

async function readMessage(
  operation: Operation,
  { envelope, value }: StreamedMessage,
  { response: { status, headers: httpHeaders }, packed }: ReceivedReply,
  { security }: SoapClientOptions,
  messageId: string | undefined,
): Promise<SoapReply> {
  const { output } = operation
  const { body, version, bodyElements } = envelope
  const fault = body && isFault(body) ? body : undefined
  const attachments = packed && !packed.isXop ? packed.attachments : []
  await security?.verify?.(envelope, attachments)
  if (messageId !== undefined) checkRelation(envelope, messageId, output !== undefined && !fault)
  if (fault) throw readFault(fault, version, status, operation.faults)
  if (output === undefined) return { output, outputHeaders: {}, envelope, attachments, status, httpHeaders }
  const { element } = output
  if (element && (!body || !isSameName(body, element)))
    throw new Error(`the service responded to ${operation.name} with another message`)
  return {
    output: value ?? output.decode(bodyElements),
    outputHeaders: decodeHeaders(output, envelope, false),
    envelope,
    attachments,
    status,
    httpHeaders,
  }
}

/**
 * Returns the content of a response; `undefined` if it has none. The response of a one-way
 * operation may be empty with any Content-Type (Basic Profile 1.1, R2714).
 */
async function skipEmpty(body: Response['body']): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (!body) return undefined
  const chunks = body[Symbol.asyncIterator]()
  let first = await chunks.next()
  while (!first.done && first.value.length === 0) first = await chunks.next()
  if (first.done) return undefined
  let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve(first)
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => {
      const result = next ?? chunks.next()
      next = undefined
      return result
    },
    return: async () => {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Ends the content of a response, which may have broken off. */
async function cancel(content: AsyncIterable<Uint8Array> | null | undefined): Promise<void> {
  await content?.[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {})
}

type Reading = ParseEnvelopeOptions & { contentType: string; limits: MessageLimits }

function readingOptions(
  { output }: Operation,
  contentType: string,
  { limits, security }: SoapClientOptions & ReplyLimits,
  messageId: string | undefined,
): Reading {
  const understood = new Set(output?.headers.map(({ element }) => clark(element)))
  if (security?.verify) understood.add(clark(security.header))
  return {
    contentType,
    limits,
    maxBodyElements: output?.parts.length || 1,
    understoodHeaders: (block: HeaderBlock) =>
      understood.has(clark(block.element)) || (messageId !== undefined && isAddressing(block)),
  }
}

async function readItems(
  operation: Operation,
  body: AsyncIterable<Uint8Array>,
  reading: Reading,
  response: Response,
): Promise<StreamedMessage> {
  const options = {
    ...reading,
    maxStreamBytes: Number.POSITIVE_INFINITY,
    findList: (element: XmlElement) => findOutputList(operation, element),
    mapError: (error: unknown) => markFault(error, response),
  }
  return await readStream(body, options, readContentType(reading.contentType))
}

/** Returns the list that an output ends with, if the element is that output. */
function findOutputList({ output }: Operation, payload: XmlElement): ListCodec | undefined {
  const isOutput = output?.parts.length === 1 && output.element && isSameName(output.element, payload)
  return isOutput ? output.parts[0]?.list() : undefined
}
