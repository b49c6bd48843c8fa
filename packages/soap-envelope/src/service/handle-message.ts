import { isPromise } from '../../../internal/guard.ts'
import { chain, type MaybePromise, orElse } from '../../../internal/maybe-promise.ts'
import { checkAction, readAddressing, replyBlocks } from '../addressing/addressing.ts'
import type { Envelope } from '../envelope/parse.ts'
import { readStream, type StreamedMessage } from '../envelope/stream.ts'
import { writeEnvelope } from '../envelope/write.ts'
import { findItems, iterateItems, writeStream } from '../envelope/write-stream.ts'
import { buildDeclaredFault, SoapFault, senderFault } from '../fault.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import { acceptsXop, innerContentType, isMultipart, packXop, type Unpacked, unpack } from '../mime/packaging.ts'
import { attachmentWriter, resolveIncludes } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { toFault } from '../to-fault.ts'
import type { Operation } from '../wsdl/operations.ts'
import type { ContentType } from '../xml/content-type.ts'
import type { XmlElement } from '../xml/element.ts'
import { answerFault, type Progress, report, respond, type Setting } from './answer.ts'
import { serveDocument } from './documents.ts'
import { decodeHeaders, encodeHeaders } from './headers.ts'
import type { Interceptor, OperationContext, OperationHandler, SoapServiceOptions } from './options.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import { type Authentication, authenticate, type OutgoingMessage, securityFault } from './security.ts'
import { findRoute, type Route } from './versions.ts'

const NOTHING = new Uint8Array(0)
const NO_ATTACHMENTS: readonly Attachment[] = []

/** Responds to a request. A step is awaited only if it returns a promise. */
export function handleMessage(incoming: SoapRequest, setting: Setting): MaybePromise<SoapResponse> {
  const isPacked = setting.attachments !== undefined && isMultipart(incoming.contentType)
  const request = isPacked ? { ...incoming, contentType: innerContentType(incoming.contentType) } : incoming
  const progress: Progress = { route: undefined, addressing: undefined, protect: undefined }
  return orElse(
    () => respondTo({ request, incoming, setting, progress }, isPacked ? setting.attachments : undefined),
    (error) => answerFault(error, request, setting, progress),
  )
}

/** A message that is being processed. */
interface Processing {
  readonly request: SoapRequest
  /** The request with its own Content-Type: for a message with attachments, that of the whole. */
  readonly incoming: SoapRequest
  readonly setting: Setting
  readonly progress: Progress
}

function respondTo(processing: Processing, packing: AttachmentLimits | undefined): MaybePromise<SoapResponse> {
  const { request, incoming, setting } = processing
  const { options, table, reading } = setting
  if (request.method !== 'POST') return serveDocument(request, table)
  const type = setting.readType(request.contentType)
  checkType(type, options.acceptSoap11 ?? true)
  const { body = NOTHING, signal } = request
  if (setting.streaming && !packing && !(body instanceof Uint8Array))
    return chain(readItems(body, signal, type, setting), ({ envelope, value }) =>
      dispatch(envelope, type, processing, undefined, value),
    )
  if (!packing)
    return chain(readMessage(body, signal, type, setting), (envelope) =>
      dispatch(envelope, type, processing, undefined),
    )
  return chain(unpack(body, incoming.contentType, packing, reading.limits.maxBytes), (packed) =>
    chain(readMessage(packed.root, signal, type, setting), (envelope) => {
      if (packed.isXop) resolveIncludes(envelope.root, packed.attachments)
      return dispatch(envelope, type, processing, packed)
    }),
  )
}

function dispatch(
  envelope: Envelope,
  type: ContentType,
  processing: Processing,
  packed: Unpacked | undefined,
  streamed?: Record<string, unknown>,
): MaybePromise<SoapResponse> {
  const { request, setting, progress } = processing
  const route = findRoute(envelope, type.action, request, setting.table)
  progress.route = route
  const { operation } = route
  if (usesAddressing(route, setting.options)) progress.addressing = readAddressing(envelope)
  if (progress.addressing) checkAction(progress.addressing, operation.input.action, operation.output !== undefined)
  const attachments = packed && !packed.isXop ? packed.attachments : NO_ATTACHMENTS
  return chain(admit(operation.name, envelope, request, attachments, setting.options), ({ user, protect }) => {
    progress.protect = protect
    const context: OperationContext = {
      operation: operation.name,
      version: envelope.version,
      namespace: route.version.contract.targetNamespace,
      user,
      headers: decodeHeaders(operation.input, envelope, setting.options.requireHeaders ?? true),
      responseHeaders: {},
      fault: buildDeclaredFault,
      httpHeaders: {},
      attachments,
      envelope,
      request,
    }
    return runOperation(route, context, processing, packed, streamed)
  })
}

/** Refuses a Content-Type that is not SOAP's (RFC 3902 2; SOAP 1.1, 6). */
function checkType({ type }: ContentType, acceptSoap11: boolean): void {
  if (type === 'application/soap+xml' || (type === 'text/xml' && acceptSoap11)) return
  const reason = `The Content-Type must be application/soap+xml${acceptSoap11 ? ' or text/xml' : ''}.`
  throw senderFault('UnsupportedMediaType', reason, { status: 415, httpStatus: 415 })
}

function readMessage(
  body: NonNullable<SoapRequest['body']>,
  signal: AbortSignal | undefined,
  type: ContentType,
  { readEnvelope }: Setting,
): MaybePromise<Envelope> {
  const envelope = readEnvelope(body, type, signal)
  return isPromise(envelope) ? envelope.then(undefined, rejectEarlyEnd) : envelope
}

function rejectEarlyEnd(error: unknown): never {
  if (error instanceof SoapFault) throw error
  throw senderFault('MalformedXml', 'The message ended early.', { cause: error })
}

/** Reads a message up to its items if its operation is one of `streamedOperations`, else whole. */
async function readItems(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  type: ContentType,
  { reading, streaming, table }: Setting,
): Promise<StreamedMessage> {
  const findList = (payload: XmlElement): ListCodec | undefined => {
    const [only, ...others] = table.findRoutes(payload)
    return only && others.length === 0 ? streaming?.lists.get(only.operation) : undefined
  }
  const maxStreamBytes = streaming?.maxStreamBytes ?? reading.limits.maxBytes
  try {
    return await readStream(body, { ...reading, maxStreamBytes, findList, ...(signal && { signal }) }, type)
  } catch (error) {
    rejectEarlyEnd(error)
  }
}

function runOperation(
  route: Route,
  context: OperationContext,
  { request, setting, progress }: Processing,
  packed: Unpacked | undefined,
  streamed: Record<string, unknown> | undefined,
): MaybePromise<SoapResponse> {
  const { operation, handler } = route
  const { envelope } = context
  const input = streamed ?? withItems(operation, operation.input.decode(envelope.bodyElements), setting)
  const { interceptors } = setting.options
  const work = (): unknown =>
    interceptors ? intercepted(handler, input, context, interceptors) : handler(input as never, context)
  const { output } = operation
  if (output === undefined) {
    setting.pending.start(work, (error) => report(toFault(error), error, request, route, setting))
    return { status: 202, headers: { 'Cache-Control': 'no-store', ...context.httpHeaders }, body: '' }
  }
  return chain(work(), (value) => {
    const { addressing, protect } = progress
    const list = output.parts.length === 1 ? output.parts[0]?.list : undefined
    const items = list && findItems(value, list())
    if (items) return respondStreamed(route, context, { request, setting, progress }, value, items)
    const isPacked = packed?.isXop || (setting.attachments !== undefined && acceptsXop(request.accept))
    const writer = isPacked ? attachmentWriter() : undefined
    const body = output.encode(value, writer?.attach)
    const declared = encodeHeaders(output, context.responseHeaders)
    const message: OutgoingMessage = {
      version: envelope.version,
      body,
      headers: addressing ? [...replyBlocks(addressing, output.action), ...declared] : declared,
      attachments: writer?.attachments ?? NO_ATTACHMENTS,
      tokens: '',
    }
    const response = respond(200, protect ? protect(message) : writeEnvelope(message), envelope.version)
    response.headers = { ...context.httpHeaders, ...response.headers }
    if (!writer || writer.attachments.length === 0) return response
    const { contentType, pieces } = packXop(response.body, writer.attachments, envelope.version)
    response.headers['Content-Type'] = contentType
    return { ...response, pieces }
  })
}

/** A short message arrives whole: its items become an async iterable all the same. */
function withItems(operation: Operation, input: unknown, { streaming }: Setting): unknown {
  const list = streaming?.lists.get(operation)
  if (!list) return input
  const values = input as Record<string, unknown[]>
  return { ...values, [list.key]: iterateItems(values[list.key] ?? []) }
}

async function respondStreamed(
  route: Route,
  context: OperationContext,
  { request, setting, progress }: Pick<Processing, 'request' | 'setting' | 'progress'>,
  value: unknown,
  items: AsyncIterable<unknown>,
): Promise<SoapResponse> {
  const { output } = route.operation
  const list = output?.parts[0]?.list()
  if (!output || !list) throw new TypeError('soap-envelope: the response has no list')
  if (progress.protect) throw new TypeError('soap-envelope: a response with streamed items cannot be signed')
  const { version } = context
  const declared = encodeHeaders(output, context.responseHeaders)
  const { addressing } = progress
  const headers = addressing ? [...replyBlocks(addressing, output.action), ...declared] : declared
  const pieces = await writeStream({ version, headers, value, items, list })
  const response = respond(200, '', version)
  response.headers = { ...context.httpHeaders, ...response.headers }
  return {
    ...response,
    pieces: reportErrors(pieces, (error) => report(toFault(error), error, request, route, setting)),
  }
}

/**
 * The status has been sent before: what fails now ends the connection, and only the log sees why.
 */
async function* reportErrors(pieces: AsyncIterable<string>, onError: (error: unknown) => void): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    onError(error)
    throw error
  }
}

/** Calls the handler inside the interceptors, the first of them outermost. */
function intercepted(
  handler: OperationHandler,
  input: unknown,
  context: OperationContext,
  interceptors: readonly Interceptor[],
): unknown {
  const call = { input, context }
  const step = (index: number): unknown => {
    const interceptor = interceptors[index]
    return interceptor ? interceptor(call, () => step(index + 1)) : handler(call.input as never, context)
  }
  return step(0)
}

/** Authenticates and authorizes a message. The operation runs only when this returns. */
function admit(
  operation: string,
  envelope: Envelope,
  request: SoapRequest,
  attachments: readonly Attachment[],
  { security, publicOperations = [], authorize }: SoapServiceOptions,
): MaybePromise<Authentication> {
  if (security === undefined && authorize === undefined) return { user: request.user, protect: undefined }
  const context = { envelope, isSecure: request.isSecure ?? false, attachments, request }
  return chain(authenticate(security ?? [], context, request.user), (authentication): MaybePromise<Authentication> => {
    const { user } = authentication
    if (publicOperations.includes(operation)) return authentication
    if (!user) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
    if (!authorize) return authentication
    return chain(authorize(user, operation), (isPermitted) => {
      if (!isPermitted)
        throw senderFault('NotPermitted', 'The user is not permitted to call the operation.', { status: 403 })
      return authentication
    })
  })
}

/** WS-Addressing is used if the option says so, or the binding of the contract. */
export function usesAddressing(
  { version }: Route,
  { addressing = version.contract.usesAddressing }: SoapServiceOptions,
): boolean {
  return addressing
}
