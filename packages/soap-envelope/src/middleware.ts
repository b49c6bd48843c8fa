import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { assertMethod } from '../../internal/options.ts'
import { assertOptions, type OptionRules } from './assert-options.ts'
import { describeRequest, type RequestFacts, respondToRequest, wantsPage } from './http/read-request.ts'
import { type ResponseHeaders, sendSoapResponse } from './http/send-response.ts'
import type { AuthenticatedUser, SoapResponse } from './service/request.ts'
import type { SoapService } from './service/service.ts'

/** Options for `soap()` and `soapErrors()`. */
export interface SoapOptions {
  /**
   * Public URL of the service, without a query. @defaultValue from the `Host` header, which must be
   * a host name, and the path
   */
  publicUrl?: string
  /**
   * Returns whether a request came over HTTPS or from this host. Set it behind a proxy.
   * @defaultValue by the socket; false for a request that a proxy forwarded over plain HTTP
   */
  isSecure?: (req: IncomingMessage) => boolean
  /**
   * Returns the user that HTTP authentication found, or `undefined`. It may throw an error with
   * `status` 401 and a challenge in its `headers`.
   */
  user?: (req: IncomingMessage) => MaybePromise<AuthenticatedUser | undefined>
  /** Returns a value for handlers and security mechanisms, as `request.context`. */
  context?: (req: IncomingMessage) => unknown
  /** Returns the id of a request in your logs. Faults have it in their detail. */
  correlationId?: (req: IncomingMessage) => string | undefined
  /**
   * Returns the headers of every response, such as security headers. Those of the response override
   * them. This costs less than `res.setHeader()`. @defaultValue none
   */
  headers?: (req: IncomingMessage) => Readonly<Record<string, string>>
  /**
   * Middleware for GET and HEAD without `?wsdl` or `?xsd`, from clients that prefer HTML: a page
   * for developers.
   */
  htmlPage?: Middleware
}

/**
 * Creates middleware that serves a SOAP service, for all methods of its mount path. Errors become
 * faults.
 */
export function soap(service: SoapService, options: SoapOptions = {}): Middleware {
  assertArguments('soap-envelope: soap', service, options)
  const { htmlPage } = options
  return (req, res, next) => {
    if (htmlPage && wantsPage(req)) return callSafely(() => htmlPage(req, res, next), ignore, next)
    const { facts, headers, error } = collectFacts(req, options)
    const send = (response: SoapResponse): void => sendSoapResponse(req, res, response, headers)
    const fail = (error: unknown): void => send(service.fault(error, describeRequest(req, facts)))
    if (error !== undefined) return fail(error.thrown)
    callSafely(
      () =>
        chain(req.method === 'POST' ? options.user?.(req) : undefined, (user) => {
          facts.user = user
          return respondToRequest(service, req, facts)
        }),
      send,
      fail,
    )
  }
}

/**
 * Creates error middleware that turns errors of middleware before a service, such as 429 and 503,
 * into faults. Mount it after the service.
 */
export function soapErrors(
  service: SoapService,
  options: SoapOptions = {},
): (error: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => void {
  assertArguments('soap-envelope: soapErrors', service, options)
  return (error, req, res, _next) => {
    const { facts, headers } = collectFacts(req, options)
    const response = service.fault(error, describeRequest(req, facts))
    if (res.headersSent && !res.writableEnded) return void res.destroy()
    sendSoapResponse(req, res, response, headers)
  }
}

function ignore(): void {}

const OPTIONS: OptionRules<SoapOptions> = {
  publicUrl: 'string',
  isSecure: 'function',
  user: 'function',
  context: 'function',
  correlationId: 'function',
  headers: 'function',
  htmlPage: 'function',
}

function assertArguments(owner: string, service: SoapService, options: SoapOptions): void {
  assertMethod(owner, 'service', service, 'handle', 'a service from soapService()')
  assertOptions(owner, options, OPTIONS)
}

/** Facts that the options return for a request, up to the first that throws. */
interface CollectedFacts {
  readonly facts: RequestFacts
  headers: readonly ResponseHeaders[]
  error: { thrown: unknown } | undefined
}

function collectFacts(req: IncomingMessage, options: SoapOptions): CollectedFacts {
  const facts: RequestFacts = { publicUrl: options.publicUrl }
  const collected: CollectedFacts = { facts, headers: [], error: undefined }
  try {
    if (options.headers) collected.headers = [options.headers(req)]
    facts.isSecure = options.isSecure?.(req)
    facts.correlationId = options.correlationId?.(req)
    facts.context = options.context?.(req)
  } catch (thrown) {
    collected.error = { thrown }
  }
  return collected
}
