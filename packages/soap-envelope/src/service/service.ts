import { inspectValue } from '../../../internal/options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import { type Envelope, envelopeReader, readAll } from '../envelope/parse.ts'
import { writeEnvelope } from '../envelope/write.ts'
import { SoapFault, senderFault } from '../fault.ts'
import { toFault } from '../to-fault.ts'
import { readContentType } from '../xml/content-type.ts'
import { limitsOf, type MessageLimits } from '../xml/limits.ts'
import { clark } from '../xml/names.ts'
import { answerFault, report, respond, type Setting } from './answer.ts'
import { serveDocument } from './documents.ts'
import { checkOptions, type SoapServiceOptions } from './options.ts'
import { pendingWork } from './pending.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import { type AuthenticatedUser, authenticate, securityFault } from './security.ts'
import { type Route, type Table, tableOf } from './versions.ts'

/** A SOAP service without a host: it takes a request and gives an answer, and never throws. */
export interface SoapService {
  /** Answers a message, or a request for the WSDL. Never rejects: what fails becomes a fault. */
  handle(request: SoapRequest): Promise<SoapResponse>
  /** The fault that any error is for this request: for errors of what stands in front of the service. */
  fault(error: unknown, request: SoapRequest): SoapResponse
  /** Resolves when no one-way message is in work any more. */
  idle(): Promise<void>
  /** What a message may hold at most. */
  readonly limits: MessageLimits
}

/**
 * Makes a service from contracts and handlers. Throws a TypeError when an operation has no handler, a handler has no
 * operation, or a contract is wrong.
 */
export function soapService(options: SoapServiceOptions): SoapService {
  const setting: Setting = {
    options,
    table: tableOf(checkOptions(options), options.resolveImport),
    limits: limitsOf('soap-envelope: soapService', options.limits),
    understoodHeaders: understandsOf(options),
    pending: pendingWork(options.maxPendingOneWay ?? 1000),
  }
  const { pending, limits, table } = setting
  const names = new Set([...table.routes.values()].map(({ operation }) => operation.name))
  for (const name of options.publicOperations ?? []) {
    if (!names.has(name))
      throw new TypeError(
        `soap-envelope: soapService: publicOperations names ${inspectValue(name)}, which is no operation`,
      )
  }
  return {
    limits,
    idle: pending.idle,
    fault: (error, request) => answerFault(error, request, undefined, setting),
    handle: async (request) => {
      let route: Route | undefined
      try {
        if (request.method !== 'POST') return serveDocument(request, table)
        checkType(request, options.acceptSoap11 ?? true)
        const envelope = await readMessage(request, setting)
        route = routeOf(envelope, request, table)
        return await answer(route, envelope, request, setting)
      } catch (error) {
        return answerFault(error, request, route, setting)
      }
    },
  }
}

function understandsOf({ security = [], understoodHeaders = [] }: SoapServiceOptions): (block: HeaderBlock) => boolean {
  const known = new Set(security.map(({ header }) => clark(header)))
  if (typeof understoodHeaders === 'function')
    return (block) => known.has(clark(block.element)) || understoodHeaders(block)
  for (const name of understoodHeaders) known.add(clark(name))
  return ({ element }) => known.has(clark(element))
}

/** Refuses a Content-Type that is not SOAP's (RFC 3902 2; SOAP 1.1, 6). */
function checkType({ contentType }: SoapRequest, acceptSoap11: boolean): void {
  const { type } = readContentType(contentType)
  if (type === 'application/soap+xml' || (type === 'text/xml' && acceptSoap11)) return
  const reason = `The Content-Type must be application/soap+xml${acceptSoap11 ? ' or text/xml' : ''}.`
  throw senderFault('UnsupportedMediaType', reason, { status: 415, httpStatus: 415 })
}

async function readMessage(request: SoapRequest, { options, limits, understoodHeaders }: Setting): Promise<Envelope> {
  const { body = new Uint8Array(0), contentType = '', signal } = request
  const reader = envelopeReader({ limits, contentType, roles: options.roles ?? [], understoodHeaders })
  try {
    return await readAll(reader, body, signal)
  } catch (error) {
    if (error instanceof SoapFault) throw error
    throw senderFault('MalformedXml', 'The message ended early.', { cause: error })
  }
}

/** Finds the operation by the element in the Body, and refuses an action that means another one. */
function routeOf({ body, version }: Envelope, request: SoapRequest, { routes }: Table): Route {
  const route = body && routes.get(clark(body))
  if (!route) throw senderFault('UnknownOperation', 'The Body holds no known operation.', { status: 404 })
  const { action } = version === '1.2' ? readContentType(request.contentType) : request
  const wanted = action?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (wanted !== '' && wanted !== route.operation.action)
    throw senderFault('ActionMismatch', 'The action is not that of the operation in the Body.')
  return route
}

async function answer(route: Route, envelope: Envelope, request: SoapRequest, setting: Setting): Promise<SoapResponse> {
  const { operation, version, handler } = route
  const { schema, targetNamespace } = version.contract
  const user = await admit(operation.name, envelope, request, setting.options)
  const input = envelope.body && schema.decode(envelope.body)
  const context = {
    operation: operation.name,
    version: envelope.version,
    namespace: targetNamespace,
    user,
    envelope,
    request,
  }
  const work = (): unknown => handler(input as never, context)
  const { output } = operation
  if (output === undefined) {
    setting.pending.start(work, (error) => report(toFault(error), error, request, route, setting))
    return { status: 202, headers: { 'Cache-Control': 'no-store' }, body: '' }
  }
  const body = schema.encode(output, await work())
  return respond(200, writeEnvelope({ version: envelope.version, body }), envelope.version)
}

/** Authenticates and authorises a message. The operation runs only when this returns. */
async function admit(
  operation: string,
  envelope: Envelope,
  request: SoapRequest,
  { security, publicOperations = [], authorize }: SoapServiceOptions,
): Promise<AuthenticatedUser | undefined> {
  if (security === undefined && authorize === undefined) return request.user
  const context = { envelope, isSecure: request.isSecure ?? false }
  const user = await authenticate(security ?? [], context, request.user)
  if (publicOperations.includes(operation)) return user
  if (!user) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
  if (authorize && !(await authorize(user, operation)))
    throw senderFault('NotPermitted', 'The user is not permitted to call the operation.', { status: 403 })
  return user
}
