import { isPromise } from '../../../internal/guard.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { checkAction, readAddressing } from '../addressing/addressing.ts'
import { type Envelope, readEnvelope } from '../envelope/parse.ts'
import { readStream, type StreamedMessage } from '../envelope/stream.ts'
import { iterateItems } from '../envelope/write-stream.ts'
import { buildDeclaredFault, SoapFault, senderFault } from '../fault.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import { innerContentType, type Unpacked, unpack } from '../mime/packaging.ts'
import { resolveIncludes } from '../mime/xop.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { createFault } from '../to-fault.ts'
import type { Operation } from '../wsdl/operations.ts'
import type { ContentType } from '../xml/content-type.ts'
import type { XmlElement } from '../xml/element.ts'
import { type Authentication, admit } from './admit.ts'
import { answerFault, type Processing, report, type Setting } from './answer.ts'
import { serveDocument } from './documents.ts'
import { decodeHeaders } from './headers.ts'
import type { Interceptor, OperationContext, OperationHandler, SoapServiceOptions } from './options.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import { respondWith } from './respond-with.ts'
import { NO_ELEMENT, type Route, type Table } from './versions.ts'

const MULTIPART = 'multipart/related'
const NOTHING = new Uint8Array(0)
const NO_ROUTES: readonly Route[] = []
const NO_ATTACHMENTS: readonly Attachment[] = []

/**
 * Creates the function that responds to requests. A step is awaited only if it returns a promise.
 */
export function messageHandler(setting: Setting): (incoming: SoapRequest) => MaybePromise<SoapResponse> {
  const { attachments, options, readType } = setting
  return (incoming) => {
    const outer = readType(incoming.contentType)
    const packing = outer.type === MULTIPART ? attachments : undefined
    const request = packing ? { ...incoming, contentType: innerContentType(incoming.contentType) } : incoming
    const type = packing ? readType(request.contentType) : outer
    const processing: Processing = { request, setting, route: undefined, addressing: undefined, protect: undefined }
    try {
      if (request.method !== 'POST') return serveDocument(request, setting.table)
      const { version } = type
      // A service takes only the types of SOAP (RFC 3902 2; SOAP 1.1, 6).
      if (version === undefined || (version === '1.1' && options.acceptSoap11 === false)) throw unsupportedType(options)
      const response = packing ? respondToPacked(incoming, packing, type, processing) : respondTo(type, processing)
      if (!isPromise(response)) return response
      return response.then(undefined, (error) => answerFault(error, processing))
    } catch (error) {
      return answerFault(error, processing)
    }
  }
}

function respondTo(type: ContentType, processing: Processing): MaybePromise<SoapResponse> {
  const { request, setting } = processing
  const { body = NOTHING, signal } = request
  if (setting.streaming && !(body instanceof Uint8Array)) return respondToItems(body, type, processing)
  const envelope = readEnvelope(body, setting.reading, type, setting.readers, signal)
  if (!isPromise(envelope)) return dispatch(envelope, type, processing)
  return envelope.then((later) => dispatch(later, type, processing), rejectEarlyEnd)
}

/** Responds to a message that may be one of `streamedOperations`. */
async function respondToItems(
  body: AsyncIterable<Uint8Array>,
  type: ContentType,
  processing: Processing,
): Promise<SoapResponse> {
  const { request, setting } = processing
  const { envelope, value, cancel } = await readItems(body, request.signal, type, setting)
  try {
    return await dispatch(envelope, type, processing, undefined, value)
  } catch (error) {
    cancel()
    throw error
  }
}

/** Responds to a message with attachments. */
async function respondToPacked(
  { contentType }: SoapRequest,
  packing: AttachmentLimits,
  type: ContentType,
  processing: Processing,
): Promise<SoapResponse> {
  const { request, setting } = processing
  const { reading, readers } = setting
  const { body = NOTHING, signal } = request
  const packed = await unpack(body, contentType, packing, reading.limits.maxBytes).catch(rejectEarlyEnd)
  const whole = readEnvelope(packed.root, reading, type, readers, signal)
  const envelope = isPromise(whole) ? await whole.then(undefined, rejectEarlyEnd) : whole
  if (packed.isXop) resolveIncludes(envelope.root, packed.attachments, packing.maxTotalBytes)
  return await dispatch(envelope, type, processing, packed)
}

function unsupportedType({ acceptSoap11 = true }: SoapServiceOptions): SoapFault {
  const reason = `The Content-Type must be application/soap+xml${acceptSoap11 ? ' or text/xml' : ''}.`
  return senderFault('UnsupportedMediaType', reason, { status: 415, httpStatus: 415 })
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
    const [only, ...others] = table.byLocal.get(payload.local)?.get(payload.uri) ?? []
    return only && others.length === 0 ? streaming?.lists.get(only.operation) : undefined
  }
  const maxStreamBytes = streaming?.maxStreamBytes ?? reading.limits.maxBytes
  try {
    return await readStream(body, { ...reading, maxStreamBytes, findList, ...(signal && { signal }) }, type)
  } catch (error) {
    rejectEarlyEnd(error)
  }
}

/** Finds the operation of a message, and runs it for who may call it. */
function dispatch(
  envelope: Envelope,
  type: ContentType,
  processing: Processing,
  packed?: Unpacked,
  streamed?: Record<string, unknown>,
): MaybePromise<SoapResponse> {
  const { request, setting } = processing
  const route = findRoute(envelope, type.action, request, setting.table)
  processing.route = route
  const { operation } = route
  const hasReply = operation.output !== undefined
  if (route.usesAddressing) processing.addressing = readAddressing(envelope, hasReply)
  if (processing.addressing) checkAction(processing.addressing, operation.input.action, hasReply)
  const attachments = packed && !packed.isXop ? packed.attachments : NO_ATTACHMENTS
  const message = { envelope, packed, streamed, attachments }
  const authentication = admit(route, envelope, attachments, processing)
  if (!isPromise(authentication)) return runOperation(route, message, authentication, processing)
  return authentication.then((later) => runOperation(route, message, later, processing))
}

/**
 * Finds the operation by the element in the Body, and rejects an action that means another one.
 * With WS-Addressing, it may be the [action] too (WS-Addressing 1.0 SOAP binding, 3.2).
 */
function findRoute(
  { body, version }: Envelope,
  typeAction: string | undefined,
  { action: soapAction }: SoapRequest,
  table: Table,
): Route {
  const { uri, local } = body ?? NO_ELEMENT
  const candidates = table.byLocal.get(local)?.get(uri) ?? NO_ROUTES
  const action = version === '1.2' ? typeAction : soapAction
  const wanted = action === undefined ? '' : unquote(action.trim())
  const [only] = candidates
  if (!only)
    throw senderFault('UnknownOperation', 'The Body does not contain an operation of this service.', { status: 404 })
  if (candidates.length > 1 || !body) {
    const route = candidates.find((candidate) => hasAction(candidate, wanted))
    if (!route && wanted === '' && candidates.length === 1) return only
    if (!route) throw senderFault('UnknownOperation', 'The action must name the operation.', { status: 404 })
    return route
  }
  if (wanted !== '' && !hasAction(only, wanted))
    throw senderFault('ActionMismatch', 'The action is not that of the operation in the Body.')
  return only
}

function hasAction({ operation, usesAddressing }: Route, action: string): boolean {
  return operation.actions.has(action) || (usesAddressing && action === operation.input.action)
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

/** A message with what came with it. */
interface ReceivedMessage {
  readonly envelope: Envelope
  readonly packed: Unpacked | undefined
  /** The value in the Body of a message whose items are read as they arrive. */
  readonly streamed: Record<string, unknown> | undefined
  readonly attachments: readonly Attachment[]
}

function runOperation(
  route: Route,
  { envelope, packed, streamed, attachments }: ReceivedMessage,
  { user, protect }: Authentication,
  processing: Processing,
): MaybePromise<SoapResponse> {
  const { operation, handler } = route
  const { request, setting } = processing
  const { interceptors, requireHeaders = true } = setting.options
  processing.protect = protect
  const context: OperationContext = {
    operation: operation.name,
    version: envelope.version,
    namespace: route.version.contract.targetNamespace,
    user,
    inputHeaders: operation.input.headers.length === 0 ? {} : decodeHeaders(operation.input, envelope, requireHeaders),
    outputHeaders: {},
    fault: buildDeclaredFault,
    httpHeaders: {},
    attachments,
    envelope,
    request,
  }
  const { parts } = operation.input
  const { body, bodyElements } = envelope
  // The name of a single element has selected the operation.
  const [part] = parts.length === 1 && bodyElements.length === 1 ? parts : []
  const decoded = streamed ?? (part && body ? part.decode(body) : operation.input.decode(bodyElements))
  const input = setting.streaming && !streamed ? withItems(operation, decoded, setting.streaming.lists) : decoded
  const { output } = operation
  if (output === undefined) {
    const work = (): unknown =>
      interceptors ? intercepted(handler, input, context, interceptors) : handler(input as never, context)
    setting.pending.start(work, (error) => report(createFault(error), error, processing))
    return { status: 202, headers: { 'Cache-Control': 'no-store', ...context.httpHeaders }, body: '' }
  }
  const value = interceptors ? intercepted(handler, input, context, interceptors) : handler(input as never, context)
  const isXop = packed?.isXop ?? false
  if (!isPromise(value)) return respondWith(value, output, context, processing, isXop)
  return value.then((later) => respondWith(later, output, context, processing, isXop))
}

/** A short message arrives whole: its items become an async iterable all the same. */
function withItems(operation: Operation, input: unknown, lists: ReadonlyMap<Operation, ListCodec>): unknown {
  const list = lists.get(operation)
  if (!list) return input
  const values = input as Record<string, unknown[]>
  return { ...values, [list.key]: iterateItems(values[list.key] ?? []) }
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
