import type { IncomingMessage } from 'node:http'
import { type ErrorContext, type ErrorResponse, httpError } from '@svc/errors'
import {
  respondToRequest,
  type ServiceSettings,
  type SoapResponse,
  type SoapService,
  wantsPage,
} from '@svc/soap-envelope'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/connection.ts'
import { isPromise, type MaybePromise } from '../../database/maybe-promise.ts'
import { customerDirectory, orderDocuments } from '../../domain/soap/customers.ts'
import { getMessage, SoapMessage } from '../../domain/soap/message.ts'
import { priceList } from '../../domain/soap/prices.ts'
import { customerService, priceService, readContracts, SAMPLE_HEADERS, SAMPLES } from '../../domain/soap/services.ts'
import { eventLog } from '../../domain/soap-log.ts'
import { type CompiledCollections, getCollection } from '../../engine/compiled-collection.ts'
import { requestStateOf, type Stage } from '../../engine/request-state.ts'
import { drawInvoice } from '../../formats/invoice.ts'
import { type SoapPageOptions, soapPage } from '../../formats/pages/soap.ts'
import type { SiteConfig } from '../../formats/pages/view.ts'
import { isTooManyAttempts } from '../../security/attempts.ts'
import type { Caller } from '../../security/caller.ts'
import { hostName, isLoopbackName, localOrigin } from '../../security/origin.ts'
import { toUnavailable } from '../codes.ts'
import { DEADLINE_MS, findPrefix, withDeadline } from '../pipeline.ts'
import type { Services } from '../services.ts'
import { attemptsFault, messageSecurity } from './credentials.ts'

export interface SoapParts {
  config: Config
  database: Database
  services: Services
  log: Logger
  shapes: CompiledCollections
  /** Maximum time for a message. @defaultValue that of requests */
  deadlineMs?: number
}

const CUSTOMER = '/ws/customer'
const PRICE = '/ws/PriceService'

/** The path of a service of the reference server. */
export type SoapPath = typeof CUSTOMER | typeof PRICE

/** As much as a message itself may have. */
const ATTACHMENTS = { maxCount: 8, maxBytes: 1_048_576, maxTotalBytes: 1_048_576 }

/** A SOAP service at a path. */
export interface SoapServiceDefinition extends SoapPageOptions {
  /** Creates the service with the security of all SOAP services. */
  create(settings: ServiceSettings): SoapService
}

/**
 * Creates the services on the customers, products and users of the resource API, and those that are
 * added.
 */
export function soapEndpoints(
  parts: SoapParts,
  site: SiteConfig,
  added: Readonly<Record<string, SoapServiceDefinition>> = {},
) {
  const { config, deadlineMs = DEADLINE_MS } = parts
  const { locate } = parts.services
  const settings = createSettings(parts)
  const services = new Map<string, SoapService>()
  const endpoints = new Map<string, Endpoint>()
  for (const [path, { create, ...page }] of Object.entries({ ...defineServices(parts), ...added })) {
    const service = create(settings)
    services.set(path, service)
    endpoints.set(path, { service: withReplyRules(service, deadlineMs), createPage: soapPage(page, site) })
  }
  const paths = new Set(services.keys())
  const prefix = findPrefix(paths)
  const respond: Stage = (state) => {
    const { req, res, method, correlationId, caller, path } = state
    const endpoint = endpoints.get(path)
    if (!endpoint) return undefined
    const { service, createPage } = endpoint
    const isMessage = method === 'POST'
    if (!isMessage && wantsPage(req)) return { representation: createPage(req) }
    if (isMessage && req.headers.expect !== undefined && isShort(req, service)) res.writeContinue()
    const message = new SoapMessage(locate(req), state.changes)
    const soap = respondToRequest(service, req, {
      // Only the documents of the contract contain it.
      publicUrl: isMessage ? undefined : findUrl(req, config.publicUrl, path),
      // Plain HTTP comes no further than the stage `https`.
      isSecure: true,
      user: caller && { name: caller.name, subject: caller },
      context: message,
      correlationId,
    })
    message.changes = undefined
    return isPromise(soap) ? soap.then((later) => ({ soap: later })) : { soap }
  }
  return {
    /** The paths of the services. */
    paths,
    /** Responds to a request at one of these paths. */
    respond,
    /**
     * An error of a stage in front, as the fault of the service that was asked; `undefined` for
     * every other path. Below a version there is no service.
     */
    toFault(context: ErrorContext) {
      const path = requestStateOf(context.req).targetPath
      return path.startsWith(prefix) ? toFault(services.get(path), context) : undefined
    },
  }
}

/** Creates a service without its endpoint, for calls from this process. */
export function createSoapService(path: SoapPath, parts: SoapParts): SoapService {
  return defineServices(parts)[path].create(createSettings(parts))
}

function defineServices({ database, shapes }: SoapParts): Readonly<Record<SoapPath, SoapServiceDefinition>> {
  const log = eventLog(database)
  const customers = customerDirectory(getCollection(shapes, 'customers'), database)
  const documents = orderDocuments(getCollection(shapes, 'orders'), database, drawInvoice)
  const prices = priceList(getCollection(shapes, 'products'), database)
  const page = { samples: SAMPLES, sampleHeaders: SAMPLE_HEADERS }
  return {
    [CUSTOMER]: {
      ...page,
      contracts: readContracts('customer'),
      create: (settings) => customerService({ customers, documents, log }, settings),
    },
    [PRICE]: {
      ...page,
      contracts: readContracts('price'),
      create: (settings) => priceService(prices, settings),
    },
  }
}

function createSettings({ config, database, services, log }: SoapParts): ServiceSettings {
  const { checkPassword, prove, soapSecrets: secrets } = services
  return {
    security: messageSecurity({ database, checkPassword, prove, secrets, hasDemoUsers: config.demo }),
    attachments: ATTACHMENTS,
    authorize: ({ subject }) => (subject as Caller).scopes.has('soap:call'),
    mapError: toUnavailable,
    onFault(fault, { error, operation, request: { correlationId } }) {
      const entry = { correlationId, operation, code: fault.subcodes[0]?.local ?? fault.code, status: fault.status }
      if (fault.code === 'Receiver') log.error({ ...entry, err: error }, 'message failed')
      else log.debug(entry, 'message refused')
    },
  }
}

/**
 * Adds the rules of the server to a service. It returns 202 only after a message is stored, so that
 * accepted messages survive the process. It returns a fault (503) if the database is unavailable,
 * and if a message takes longer than the deadline: it stores nothing of it, like the resource API.
 */
export function withReplyRules(service: SoapService, milliseconds: number): SoapService {
  return {
    ...service,
    handle(request) {
      const message = getMessage(request)
      const response = withDeadline(milliseconds, (lift) => {
        if (message) message.beforeCommit = lift
        const answer = service.handle(request)
        if (isPromise(answer)) return answer.then((later) => whenStored(later, message))
        return answer.status === 202 ? whenStored(answer, message) : answer
      })
      if (!isPromise(response)) return response
      return response.then(undefined, (error) => service.fault(error, request))
    },
  }
}

function whenStored(answer: SoapResponse, message: SoapMessage | undefined): MaybePromise<SoapResponse> {
  return (answer.status === 202 && message?.stored?.then(() => answer)) || answer
}

interface Endpoint {
  service: SoapService
  createPage: ReturnType<typeof soapPage>
}

/** Whether a body that is announced is not refused before it is read. */
function isShort({ headers }: IncomingMessage, { limits }: SoapService): boolean {
  return Number(headers['content-length'] ?? 0) <= limits.maxBytes
}

/**
 * Returns the address in a contract. It must not come from a header of the request, except for the
 * loopback names of this host, which the package reads itself.
 */
function findUrl(req: IncomingMessage, publicUrl: string, path: string): string | undefined {
  if (publicUrl !== '') return publicUrl + path
  return isLoopbackName(hostName(req.headers.host)) ? undefined : localOrigin(req) + path
}

function toFault(
  service: SoapService | undefined,
  { error: thrown, classification, req, correlationId }: ErrorContext,
): ErrorResponse | undefined {
  if (!service) return undefined
  const { status, message, code, headers } = classification
  const error = isTooManyAttempts(thrown)
    ? attemptsFault(message, headers)
    : httpError(status, message, { code, expose: true, ...(headers && { headers }) })
  const fault = service.fault(error, {
    method: req.method ?? 'GET',
    path: requestStateOf(req).path,
    correlationId,
    contentType: req.headers['content-type'],
    acceptLanguage: req.headers['accept-language'],
  })
  const { 'Content-Type': contentType = 'application/soap+xml; charset=utf-8' } = fault.headers
  return { contentType, body: fault.body, status: fault.status }
}
