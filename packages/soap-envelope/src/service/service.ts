import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'
import { checkAction, isAddressing, readAddressing, replyBlocks } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { type Envelope, envelopeReader, readAll } from '../envelope/parse.ts'
import { writeEnvelope } from '../envelope/write.ts'
import { SoapFault, senderFault } from '../fault.ts'
import type { Attachment, AttachmentLimits } from '../mime/multipart.ts'
import {
  DEFAULT_ATTACHMENTS,
  innerContentType,
  isMultipart,
  packXop,
  type Unpacked,
  unpack,
} from '../mime/packaging.ts'
import { attachmentWriter, resolveIncludes } from '../mime/xop.ts'
import { toFault } from '../to-fault.ts'
import { type ContentType, readContentType } from '../xml/content-type.ts'
import { limitsOf, type MessageLimits } from '../xml/limits.ts'
import { clark } from '../xml/names.ts'
import { answerFault, type Progress, report, respond, type Setting } from './answer.ts'
import { serveDocument } from './documents.ts'
import { decodeHeaders, encodeHeaders } from './headers.ts'
import {
  checkOptions,
  type Interceptor,
  type OperationContext,
  type OperationHandler,
  type SoapServiceOptions,
} from './options.ts'
import { pendingWork } from './pending.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import { type Authentication, authenticate, type OutgoingMessage, securityFault } from './security.ts'
import { type Route, type Table, tableOf } from './versions.ts'

/** SOAP service without a server: it takes a request and returns a response, and never throws. */
export interface SoapService {
  /** Answers a message, or a request for the WSDL. Never rejects: what fails becomes a fault. */
  handle(request: SoapRequest): Promise<SoapResponse>
  /**
   * The fault that any error is for this request: for errors of what stands in front of the
   * service.
   */
  fault(error: unknown, request: SoapRequest): SoapResponse
  /** Resolves when no one-way message is in work any more. */
  idle(): Promise<void>
  /** What a message may hold at most. */
  readonly limits: MessageLimits
  /** The limits of attachments; `undefined` if they are rejected. */
  readonly attachments: AttachmentLimits | undefined
}

/**
 * Makes a service from contracts and handlers. Throws a TypeError when an operation has no handler,
 * a handler has no operation, or a contract is wrong.
 */
export function soapService(options: SoapServiceOptions): SoapService {
  const table = tableOf(checkOptions(options), options.resolveImport)
  const setting: Setting = {
    options,
    table,
    limits: limitsOf('soap-envelope: soapService', options.limits),
    understoodHeaders: understandsOf(options, table),
    pending: pendingWork(options.maxPendingOneWay ?? 1000),
  }
  const { pending, limits } = setting
  const attachments = options.attachments && attachmentLimits(options.attachments)
  const names = new Set([...table.routes.values()].flat().map(({ operation }) => operation.name))
  for (const name of options.publicOperations ?? []) {
    if (!names.has(name))
      throw new TypeError(
        `soap-envelope: soapService: publicOperations names ${inspectValue(name)}, which is no operation`,
      )
  }
  return {
    limits,
    attachments,
    idle: pending.idle,
    fault: (error, request) => answerFault(error, request, setting),
    handle: async (incoming) => {
      const isPacked = attachments !== undefined && isMultipart(incoming.contentType)
      const request = isPacked ? { ...incoming, contentType: innerContentType(incoming.contentType) } : incoming
      const progress: Progress = { route: undefined, addressing: undefined, protect: undefined }
      try {
        if (request.method !== 'POST') return serveDocument(request, table)
        const type = readContentType(request.contentType)
        checkType(type, options.acceptSoap11 ?? true)
        const packed = isPacked
          ? await unpack(request.body ?? NOTHING, incoming.contentType, attachments, limits.maxBytes)
          : undefined
        const envelope = await readMessage(packed ? { ...request, body: packed.root } : request, type, setting)
        if (packed?.isXop) resolveIncludes(envelope.root, packed.attachments)
        const route = routeOf(envelope, type.action, request, table)
        progress.route = route
        if (usesAddressing(route, options)) progress.addressing = readAddressing(envelope)
        if (progress.addressing)
          checkAction(progress.addressing, route.operation.input.action, route.operation.output !== undefined)
        return await answer(route, envelope, request, setting, progress, packed)
      } catch (error) {
        return answerFault(error, request, setting, progress)
      }
    },
  }
}

const NOTHING = new Uint8Array(0)

function attachmentLimits(given: Partial<AttachmentLimits>): AttachmentLimits {
  assertKnownOptions('soap-envelope: soapService: attachments', given, Object.keys(DEFAULT_ATTACHMENTS))
  for (const [name, value] of Object.entries(given)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(
        `soap-envelope: soapService: attachments.${name} must be a positive integer, got ${inspectValue(value)}`,
      )
  }
  return { ...DEFAULT_ATTACHMENTS, ...given }
}

/** WS-Addressing is used if the option says so, or the binding of the contract. */
function usesAddressing(
  { version }: Route,
  { addressing = version.contract.usesAddressing }: SoapServiceOptions,
): boolean {
  return addressing
}

/**
 * The blocks of the security mechanisms are understood, those that the contracts bind, and those of
 * the option.
 */
function understandsOf(options: SoapServiceOptions, { routes }: Table): (block: HeaderBlock) => boolean {
  const { security = [], understoodHeaders = [] } = options
  const bound = [...routes.values()].flat().flatMap(({ operation }) => operation.input.headers)
  const known = new Set([...security.map(({ header }) => clark(header)), ...bound.map(({ element }) => clark(element))])
  const all = [...routes.values()].flat()
  const withAddressing = all.some((route) => usesAddressing(route, options))
  const isKnown = (block: HeaderBlock): boolean =>
    known.has(clark(block.element)) || (withAddressing && isAddressing(block))
  if (typeof understoodHeaders === 'function') return (block) => isKnown(block) || understoodHeaders(block)
  for (const name of understoodHeaders) known.add(clark(name))
  return isKnown
}

/** Refuses a Content-Type that is not SOAP's (RFC 3902 2; SOAP 1.1, 6). */
function checkType({ type }: ContentType, acceptSoap11: boolean): void {
  if (type === 'application/soap+xml' || (type === 'text/xml' && acceptSoap11)) return
  const reason = `The Content-Type must be application/soap+xml${acceptSoap11 ? ' or text/xml' : ''}.`
  throw senderFault('UnsupportedMediaType', reason, { status: 415, httpStatus: 415 })
}

async function readMessage(
  request: SoapRequest,
  type: ContentType,
  { options, limits, understoodHeaders, table }: Setting,
): Promise<Envelope> {
  const { body = NOTHING, signal } = request
  const { maxBodyElements } = table
  const reader = envelopeReader({ limits, roles: options.roles ?? [], understoodHeaders, maxBodyElements }, type)
  try {
    return await readAll(reader, body, signal)
  } catch (error) {
    if (error instanceof SoapFault) throw error
    throw senderFault('MalformedXml', 'The message ended early.', { cause: error })
  }
}

/** Finds the operation by the element in the Body, and rejects an action that means another one. */
function routeOf(
  { body, version }: Envelope,
  typeAction: string | undefined,
  request: SoapRequest,
  { routes }: Table,
): Route {
  const candidates = routes.get(body ? clark(body) : '') ?? []
  const action = version === '1.2' ? typeAction : request.action
  const wanted = action?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  const [only, ...others] = candidates
  if (!only) throw senderFault('UnknownOperation', 'The Body holds no known operation.', { status: 404 })
  if (others.length > 0 || !body) {
    const route = candidates.find(({ operation }) => operation.actions.has(wanted))
    if (!route && wanted === '' && others.length === 0) return only
    if (!route) throw senderFault('UnknownOperation', 'The action must name the operation.', { status: 404 })
    return route
  }
  if (wanted !== '' && !only.operation.actions.has(wanted))
    throw senderFault('ActionMismatch', 'The action is not that of the operation in the Body.')
  return only
}

async function answer(
  route: Route,
  envelope: Envelope,
  request: SoapRequest,
  setting: Setting,
  progress: Progress,
  packed: Unpacked | undefined,
): Promise<SoapResponse> {
  const { operation, version, handler } = route
  const attachments = packed && !packed.isXop ? packed.attachments : []
  const { user, protect } = await admit(operation.name, envelope, request, attachments, setting.options)
  progress.protect = protect
  const input = operation.input.decode(envelope.bodyElements)
  const context: OperationContext = {
    operation: operation.name,
    version: envelope.version,
    namespace: version.contract.targetNamespace,
    user,
    headers: decodeHeaders(operation.input, envelope, setting.options.requireHeaders ?? true),
    responseHeaders: {},
    httpHeaders: {},
    attachments,
    envelope,
    request,
  }
  const work = (): unknown => intercepted(handler, input, context, setting.options.interceptors)
  const { output } = operation
  if (output === undefined) {
    setting.pending.start(work, (error) => report(toFault(error), error, request, route, setting))
    return { status: 202, headers: { 'Cache-Control': 'no-store', ...context.httpHeaders }, body: '' }
  }
  const writer = packed?.isXop ? attachmentWriter() : undefined
  const body = output.encode(await work(), writer?.attach)
  const declared = encodeHeaders(output, context.responseHeaders)
  const { addressing } = progress
  const message: OutgoingMessage = {
    version: envelope.version,
    body,
    headers: addressing ? [...replyBlocks(addressing, output.action), ...declared] : declared,
    attachments: writer?.attachments ?? [],
    tokens: '',
  }
  const response = respond(200, protect ? protect(message) : writeEnvelope(message), envelope.version)
  const answered = { ...response, headers: { ...context.httpHeaders, ...response.headers } }
  if (!writer || writer.attachments.length === 0) return answered
  const { contentType, pieces } = packXop(response.body, writer.attachments, envelope.version)
  return { ...answered, headers: { ...answered.headers, 'Content-Type': contentType }, pieces }
}

/** Calls the handler inside the interceptors, the first of them outermost. */
function intercepted(
  handler: OperationHandler,
  input: unknown,
  context: OperationContext,
  interceptors: readonly Interceptor[] = [],
): unknown {
  const call = { input, context }
  const step = (at: number): unknown => {
    const interceptor = interceptors[at]
    return interceptor ? interceptor(call, () => step(at + 1)) : handler(call.input as never, context)
  }
  return step(0)
}

/** Authenticates and authorises a message. The operation runs only when this returns. */
async function admit(
  operation: string,
  envelope: Envelope,
  request: SoapRequest,
  attachments: readonly Attachment[],
  { security, publicOperations = [], authorize }: SoapServiceOptions,
): Promise<Authentication> {
  if (security === undefined && authorize === undefined) return { user: request.user, protect: undefined }
  const context = { envelope, isSecure: request.isSecure ?? false, attachments }
  const authentication = await authenticate(security ?? [], context, request.user)
  const { user } = authentication
  if (publicOperations.includes(operation)) return authentication
  if (!user) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
  if (authorize && !(await authorize(user, operation)))
    throw senderFault('NotPermitted', 'The user is not permitted to call the operation.', { status: 403 })
  return authentication
}
