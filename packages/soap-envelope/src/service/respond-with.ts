import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { replyBlocks } from '../addressing/addressing.ts'
import { writeEnvelopeWith } from '../envelope/write.ts'
import { findItems, writeStream } from '../envelope/write-stream.ts'
import type { Attachment } from '../mime/multipart.ts'
import { packXop } from '../mime/packaging.ts'
import { attachmentWriter } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { createFault } from '../to-fault.ts'
import type { Message } from '../wsdl/messages.ts'
import { MEDIA_TYPES, type Processing, report } from './answer.ts'
import { encodeHeaders } from './headers.ts'
import type { OperationContext } from './options.ts'
import type { SoapResponse } from './request.ts'
import type { OutgoingMessage } from './security.ts'

const NO_ATTACHMENTS: readonly Attachment[] = []
const NO_BLOCKS: readonly string[] = []

/**
 * Writes the response with the value that a handler has returned.
 *
 * @param isXop - whether binary values of the request were attachments
 */
export function respondWith(
  value: unknown,
  output: Message,
  context: OperationContext,
  processing: Processing,
  isXop: boolean,
): MaybePromise<SoapResponse> {
  const { request, setting, route, protect } = processing
  const list = route?.outputList
  const items = list && findItems(value, list)
  if (items) return respondStreamed({ value, items, list }, output, context, processing)
  const isPacked = isXop || (setting.attachments !== undefined && setting.acceptsXop(request.accept))
  const writer = isPacked ? attachmentWriter() : undefined
  const { version, httpHeaders, outputHeaders } = context
  let hasBlocks = output.headers.length > 0 || processing.addressing !== undefined
  for (const name in outputHeaders) hasBlocks ||= Object.hasOwn(outputHeaders, name)
  const message: OutgoingMessage = {
    version,
    body: output.encode(value, writer?.attach),
    headers: hasBlocks ? writeBlocks(output, context, processing) : NO_BLOCKS,
    attachments: writer?.attachments ?? NO_ATTACHMENTS,
    tokens: '',
  }
  const body = protect ? protect(message) : writeEnvelopeWith(message, '')
  const response: SoapResponse = {
    status: 200,
    headers: { ...httpHeaders, 'Content-Type': MEDIA_TYPES[version], 'Cache-Control': 'no-store' },
    body,
  }
  if (!writer || writer.attachments.length === 0) return response
  const { contentType, pieces } = packXop(response.body, writer.attachments, version)
  response.headers['Content-Type'] = contentType
  return { ...response, pieces }
}

/**
 * Writes the header blocks of a response: those of WS-Addressing, and those that the contract
 * declares.
 */
function writeBlocks(
  output: Message,
  { outputHeaders }: OperationContext,
  { addressing }: Processing,
): readonly string[] {
  let blocks = NO_BLOCKS
  if (output.headers.length > 0 || Object.keys(outputHeaders).length > 0) blocks = encodeHeaders(output, outputHeaders)
  return addressing ? [...replyBlocks(addressing, output.action), ...blocks] : blocks
}

interface StreamedValue {
  value: unknown
  items: AsyncIterable<unknown>
  list: ListCodec
}

async function respondStreamed(
  streamed: StreamedValue,
  output: Message,
  context: OperationContext,
  processing: Processing,
): Promise<SoapResponse> {
  if (processing.protect) throw new TypeError('soap-envelope: a response with streamed items cannot be signed')
  const { version, httpHeaders } = context
  const headers = writeBlocks(output, context, processing)
  const pieces = await writeStream({ version, headers, ...streamed })
  return {
    status: 200,
    headers: { ...httpHeaders, 'Content-Type': MEDIA_TYPES[version], 'Cache-Control': 'no-store' },
    body: '',
    pieces: reportErrors(pieces, (error) => report(createFault(error), error, processing)),
  }
}

/**
 * The status has been sent before: what fails now ends the connection, and only the log sees why. A
 * client that leaves ends the iteration.
 */
function reportErrors(pieces: AsyncGenerator<string>, onError: (error: unknown) => void): AsyncIterable<string> {
  const iterator: AsyncIterator<string> = {
    next: () =>
      pieces.next().catch((error) => {
        onError(error)
        throw error
      }),
    return: () => pieces.return(undefined),
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
