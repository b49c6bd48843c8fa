import { getTarget, type IncomingMessage } from '../../../internal/middleware.ts'
import type { AuthenticatedUser, SoapRequest } from '../service/request.ts'

/** Facts about a request that only the app knows. */
export interface RequestFacts {
  /**
   * Public URL of the service, without a query. @defaultValue from the `Host` header, which must be
   * a host name, and the path
   */
  publicUrl?: string | undefined
  /**
   * Whether the request came over HTTPS or from this host. Set it behind a proxy. @defaultValue by
   * the socket; false for a request that a proxy forwarded over plain HTTP
   */
  isSecure?: boolean | undefined
  /** The user that HTTP authentication found. */
  user?: AuthenticatedUser | undefined
  /** A value for handlers and security mechanisms, as `request.context`. */
  context?: unknown
  /** Id of the request in your logs. Faults have it in their detail. */
  correlationId?: string | undefined
}

/** Describes a request of node:http for a service. It has no body yet. */
export function describeRequest(req: IncomingMessage, facts: RequestFacts): SoapRequest {
  const { headers, method = 'GET' } = req
  const target = getTarget(req)
  const question = target.indexOf('?')
  const path = question === -1 ? target : target.slice(0, question)
  return {
    method,
    path,
    query: target.slice(path.length + 1),
    // Only the documents of the contract contain the address, and they are not requested by POST.
    publicUrl: facts.publicUrl ?? (method === 'POST' ? undefined : buildUrl(req, path)),
    contentType: headers['content-type'],
    action: headers['soapaction'] as string | undefined, // node:http joins repeated ones
    accept: headers.accept,
    acceptLanguage: headers['accept-language'],
    ifNoneMatch: headers['if-none-match'],
    isSecure: facts.isSecure ?? isSecureSocket(req),
    user: facts.user,
    context: facts.context,
    correlationId: facts.correlationId,
  }
}

/**
 * Whether a browser asks for the address itself rather than for a document of the contract. Hosts
 * that send responses themselves may send it a page.
 */
export function wantsPage(req: IncomingMessage): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return !getTarget(req).includes('?') && (req.headers.accept ?? '').includes('text/html')
}

function isEncrypted(req: IncomingMessage): boolean {
  return (req.socket as { encrypted?: boolean }).encrypted === true
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto']

/**
 * A forwarded request came to a proxy on this machine: what it came over before that, only the
 * application knows.
 */
function isSecureSocket(req: IncomingMessage): boolean {
  if (isEncrypted(req)) return true
  const { remoteAddress = '' } = req.socket
  const isForwarded = FORWARDED.some((name) => req.headers[name] !== undefined)
  return !isForwarded && (remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress))
}

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/

/** A Host field may hold anything: it enters the WSDL only when it is a host. */
function buildUrl(req: IncomingMessage, path: string): string {
  const { host = '' } = req.headers
  return HOST.test(host) ? `${isEncrypted(req) ? 'https' : 'http'}://${host}${path}` : path
}
