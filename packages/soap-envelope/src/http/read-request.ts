import { Readable } from 'node:stream'
import { takeBody } from '../../../internal/drain-request.ts'
import { isPromise } from '../../../internal/guard.ts'
import { createHttpError } from '../../../internal/http-error.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { getPath, getTarget, type IncomingMessage } from '../../../internal/middleware.ts'
import { tooLarge } from '../envelope/parse.ts'
import { senderFault } from '../fault.ts'
import { decompress } from '../inflate.ts'
import { MAX_FRAMING_BYTES } from '../mime/multipart.ts'
import { isMultipart } from '../mime/packaging.ts'
import type { AuthenticatedUser, SoapRequest, SoapResponse } from '../service/request.ts'
import type { SoapService } from '../service/service.ts'

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

/** Bodies of a known length up to here are collected before they are read. */
const SHORT_BYTES = 65_536

// node:http has read the body in the same packet when the tick is over.
const PARSED = Promise.resolve()

/**
 * Returns the response of a service to a request of node:http, for apps that send it with
 * `sendSoapResponse()`. Never throws or rejects. Returns a promise only if something must be
 * awaited.
 */
export function respondToRequest(
  service: SoapService,
  req: IncomingMessage,
  facts: RequestFacts = {},
): MaybePromise<SoapResponse> {
  const request = describeRequest(req, facts)
  if (request.method !== 'POST') return service.handle(request)
  try {
    const body = readBody(req, service)
    if (body && !isPromise(body)) request.body = body
    const response = isPromise(body)
      ? body.then((later) => {
          if (later) request.body = later
          return service.handle(request)
        })
      : service.handle(request)
    return isPromise(response) ? response.then(undefined, (error) => service.fault(error, request)) : response
  } catch (error) {
    return service.fault(error, request)
  }
}

/** Describes a request of node:http for a service. It has no body yet. */
export function describeRequest(req: IncomingMessage, facts: RequestFacts): SoapRequest {
  const { headers, method = 'GET' } = req
  const target = getTarget(req)
  const question = target.indexOf('?')
  const end = question === -1 ? target.length : question
  // A target may be a URL (RFC 9112 §3.2.2).
  const path = target.startsWith('/') ? target.slice(0, end) : getPath(req)
  return {
    method,
    path,
    query: target.slice(end + 1),
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
 * A forwarded request came from a proxy, possibly on this host. Only the application knows the
 * protocol of the client.
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

/**
 * Returns the message: bytes that a body parser has read or that are there already, or the stream.
 */
function readBody(req: IncomingMessage, service: SoapService): MaybePromise<SoapRequest['body']> {
  const { rawBody, body } = req as { rawBody?: unknown; body?: unknown }
  const read = rawBody === undefined && body === undefined ? undefined : (getBytes(rawBody) ?? getBytes(body))
  if (read) return isStillCompressed(req, read) ? decompressed(req, read) : read
  const { 'content-length': announced, 'content-encoding': coding } = req.headers
  const length = Number(announced)
  if (length > service.limits.maxBytes) checkLength(req, length, service)
  if (req.readableEnded)
    throw createHttpError({
      status: 500,
      code: 'ERR_SOAP_ENVELOPE_BODY_CONSUMED',
      message:
        'A body parser has read the message and kept no bytes: mount the service before it, or use express.raw().',
    })
  if (!(length <= SHORT_BYTES) || coding !== undefined) return decompressed(req, req)
  return takeBody(req, length) ?? PARSED.then(() => takeBody(req, length) ?? collect(req))
}

function getBytes(read: unknown): Uint8Array | undefined {
  if (typeof read === 'string') return Buffer.from(read)
  return read instanceof Uint8Array ? read : undefined
}

function checkLength(
  req: IncomingMessage,
  length: number,
  { limits, attachments, maxStreamBytes = 0 }: SoapService,
): void {
  const packed = attachments && isMultipart(req.headers['content-type'])
  const more = packed ? attachments.maxTotalBytes + MAX_FRAMING_BYTES : 0
  const maxBytes = Math.max(limits.maxBytes, maxStreamBytes) + more
  if (length > maxBytes) throw tooLarge(maxBytes)
}

/**
 * Collects a body of a known, short length. Costs a third of what an async iterator over it does.
 */
function collect(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const fail = (cause?: unknown): void => {
      // `close` also follows a body that is complete.
      if (!req.readableEnded) reject(senderFault('MalformedXml', 'The message ended early.', { cause }))
    }
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', fail)
    req.once('close', fail)
    req.resume()
  })
}

function decompressed(req: IncomingMessage, source: Readable | Uint8Array): AsyncIterable<Uint8Array> {
  return decompress(source instanceof Readable ? source : Readable.from([source]), req.headers['content-encoding'])
}

/**
 * Parsers decompress what they read; a platform that passes the bytes on as they came does not.
 * XML never begins like gzip.
 */
function isStillCompressed(req: IncomingMessage, read: Uint8Array): boolean {
  return req.headers['content-encoding'] !== undefined && read[0] === 0x1f && read[1] === 0x8b
}
