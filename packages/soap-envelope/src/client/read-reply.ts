import { checkRelation, isAddressing } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { type Envelope, type ParseEnvelopeOptions, parseEnvelope } from '../envelope/parse.ts'
import { isFault, readFault } from '../envelope/read-fault.ts'
import { readStream } from '../envelope/stream.ts'
import type { AttachmentLimits } from '../mime/multipart.ts'
import { innerContentType, isMultipart, unpack } from '../mime/packaging.ts'
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

/**
 * Reads the response to a request. Rejects with a SoapFault if the service responds with one.
 *
 * @param messageId - the id of the request, which the response must relate to
 */
export async function readReply(
  operation: Operation,
  response: Response,
  options: SoapClientOptions & ReplyLimits,
  messageId: string | undefined,
  isStreamed: boolean,
): Promise<SoapReply> {
  const { status, headers: httpHeaders } = response
  const outerType = httpHeaders.get('content-type') ?? ''
  const isPacked = isMultipart(outerType)
  const contentType = isPacked ? innerContentType(outerType) : outerType
  const isSoap = /^(application\/soap\+xml|text\/xml)\b/i.test(contentType)
  if (!isSoap) {
    const isEmpty = await endsEmpty(response)
    if (operation.output === undefined && isEmpty && response.ok)
      return { output: undefined, outputHeaders: {}, envelope: undefined, attachments: [], status, httpHeaders }
    throw new Error(`the service responded ${status} with ${contentType || 'no Content-Type'}, which is not SOAP`)
  }
  const reading = readingOptions(operation, contentType, options, messageId)
  const received = response.body ?? new Uint8Array(0)
  const packed = isPacked ? await unpack(received, outerType, options.attachments, reading.limits.maxBytes) : undefined
  const { envelope, value } =
    isStreamed && response.body && !packed
      ? await readItems(operation, response.body, reading)
      : { envelope: await parseEnvelope(packed?.root ?? received, reading), value: undefined }
  if (packed?.isXop) resolveIncludes(envelope.root, packed.attachments)
  const { body, version, bodyElements } = envelope
  const attachments = packed && !packed.isXop ? packed.attachments : []
  await options.security?.verify?.(envelope, attachments)
  if (messageId !== undefined) checkRelation(envelope, messageId)
  if (body && isFault(body)) throw readFault(body, version, status, operation.faults)
  if (operation.output === undefined)
    return { output: undefined, outputHeaders: {}, envelope, attachments, status, httpHeaders }
  const { element } = operation.output
  if (element && (!body || !isSameName(body, element)))
    throw new Error(`the service responded to ${operation.name} with another message`)
  const output = value ?? operation.output.decode(bodyElements)
  return {
    output,
    outputHeaders: decodeHeaders(operation.output, envelope, false),
    envelope,
    attachments,
    status,
    httpHeaders,
  }
}

/** Whether a response has no content. Otherwise the rest of it is canceled. */
async function endsEmpty({ body }: Response): Promise<boolean> {
  for await (const chunk of body ?? []) if (chunk.length > 0) return false
  return true
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
): Promise<{ envelope: Envelope; value: Record<string, unknown> | undefined }> {
  const options = {
    ...reading,
    maxStreamBytes: Number.POSITIVE_INFINITY,
    findList: (element: XmlElement) => findOutputList(operation, element),
  }
  return await readStream(body, options, readContentType(reading.contentType))
}

/** Returns the list that an output ends with, if the element is that output. */
function findOutputList({ output }: Operation, payload: XmlElement): ListCodec | undefined {
  const isOutput = output?.parts.length === 1 && output.element && isSameName(output.element, payload)
  return isOutput ? output.parts[0]?.list() : undefined
}
