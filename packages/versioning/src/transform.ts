import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import { interceptResponse } from '../../internal/intercept-response.ts'
import { getPath, type IncomingMessage, type Middleware, type ServerResponse } from '../../internal/middleware.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { toBuffer } from '../../internal/response-state.ts'
import { type ChangePath, type Changes, createTransformError, TRANSFORM_FAILED } from './changes.ts'
import { requestVersion } from './request.ts'
import { addSuffix, removeSuffix, restoreHeaders } from './version-etag.ts'

type Convert = (body: unknown) => unknown

/**
 * Creates the middleware that converts parsed request bodies to the newest version, and JSON
 * responses back.
 */
export function createTransform(changes: Changes, latest: string, onRefused: OnRefused | undefined): Middleware {
  return (req, res, next) => {
    const version = requestVersion.get(req)?.version
    if (version === undefined || version === latest) return next()
    const changePath = findChangePath(changes, req, version)
    const reject = (error: HttpErrorLike): void => refuse(error, req, res, next, onRefused)
    if (changePath.hasDown)
      downgradeResponse(req, res, changePath.down, version, (cause) => reject(createConversionError(cause, res)))
    const request = req as { body?: unknown }
    // The body of a QUERY is a query (RFC 10008 §2), not the resource.
    if (!changePath.hasUp || req.method === 'QUERY' || !hasContent(req, request.body)) return next()
    // Its operations are on paths of the older format.
    if (getEssence(req.headers['content-type']) === 'application/json-patch+json')
      return reject(
        createBodyError(415, `A JSON Patch cannot be converted from version ${version}: send a merge patch.`),
      )
    try {
      request.body = changePath.up(request.body)
    } catch (error) {
      const hasStatus = isHttpErrorLike(error)
      if (hasStatus && error.code !== TRANSFORM_FAILED && next.length > 0) return next(error)
      return reject(hasStatus ? error : createBodyError(400, `The body is not valid in version ${version}.`, error))
    }
    next()
  }
}

/** Returns the changes of the path of a request. */
export function findChangePath(changes: Changes, { url }: IncomingMessage, version: string): ChangePath {
  // Not of the request, whose `originalUrl` still has the version.
  return changes.between(version, getPath({ url }))
}

// Body parsers of Express 4 set an empty object if there is no content, or none that they parse.
// HTTP/2 needs neither header of a length (RFC 9113 §8.1.1, §8.2.2).
function hasContent({ headers }: IncomingMessage, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return false
  if (Object.keys(body).length > 0) return true
  if (!isJson(headers['content-type'])) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

// `up` is the first function that reads the body, so its error means an invalid body, unless it has
// a status.
function createBodyError(status: number, message: string, cause?: unknown): HttpErrorLike {
  return createHttpError({ status, code: 'ERR_VERSIONING_BODY_INVALID', message, cause })
}

function isHttpErrorLike(error: unknown): error is HttpErrorLike {
  return typeof error === 'object' && error !== null && 'status' in error
}

const DIGESTS = ['Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5']

function downgradeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  down: Convert,
  version: string,
  fail: (cause: unknown) => void,
): void {
  removeSuffix(req, version)
  hideHeaders(req)
  const isDowngraded = interceptJson(res, down, fail)
  const chunks: Buffer[] = []
  let buffersBody = false
  interceptResponse(req, res, {
    late: true,
    head: () => {
      addSuffix(res, version)
      restoreHeaders(req)
      buffersBody = !isDowngraded() && res.statusCode < 300 && isJson(res.getHeader('Content-Type'))
      if (buffersBody || isDowngraded()) for (const name of DIGESTS) res.removeHeader(name)
      if (!buffersBody) return
      // The length belongs to the newest format. The new one follows, except for HEAD.
      res.removeHeader('Content-Length')
      if (res.getHeader('Accept-Ranges') === 'bytes') res.removeHeader('Accept-Ranges')
    },
    write: (chunk, downstream) => {
      if (!buffersBody) return downstream.write(chunk)
      chunks.push(chunk)
      return true
    },
    end: (last, downstream) => {
      if (!buffersBody) return downstream.end(last)
      if (last) chunks.push(toBuffer(last))
      let body = Buffer.concat(chunks)
      if (body.length === 0) return downstream.end()
      try {
        body = Buffer.from(JSON.stringify(down(JSON.parse(body.toString()))))
      } catch (cause) {
        // The handler has ended the response, but nothing has been sent, so the error handler can
        // still respond.
        downstream.reopen()
        return fail(cause)
      }
      if (!res.headersSent) res.setHeader('Content-Length', body.length)
      downstream.end(body)
    },
  })
}

// Other middleware would compress the newest format, or send a part of it. `Range` may be ignored
// (RFC 9110 §14.2), but other units count the same items in each version.
function hideHeaders({ headers }: IncomingMessage): void {
  delete headers['accept-encoding']
  if (/^bytes=/i.test(headers.range ?? '')) delete headers.range
}

/** In Express, converts the body in `res.json`, before it is serialized and gets an ETag. */
function interceptJson(res: ServerResponse, down: Convert, fail: (cause: unknown) => void): () => boolean {
  const express = res as Partial<Record<'json' | 'jsonp', (...args: unknown[]) => unknown>>
  let isDowngraded = false
  for (const name of ['json', 'jsonp'] as const) {
    const send = express[name]
    if (typeof send !== 'function') continue
    const sendDowngraded = (...args: unknown[]): unknown => {
      express[name] = send
      // Express 4 also accepts a status and a body, whose bytes are converted.
      if (res.statusCode < 300 && args.length === 1 && args[0] !== undefined) {
        isDowngraded = true
        try {
          args[0] = down(JSON.parse(JSON.stringify(args[0]))) // without what `toJSON` hides
        } catch (cause) {
          // Not rethrown: Express 4 ignores the rejection of an async handler.
          fail(cause)
          return res
        }
      }
      return send.apply(res, args)
    }
    express[name] = sendDowngraded // not the function itself: see internal/intercept-response.ts
  }
  return () => isDowngraded
}

function createConversionError(cause: unknown, res: ServerResponse): HttpErrorLike {
  if (!res.hasHeader('Content-Encoding'))
    return createTransformError('The response could not be converted to the version of the request.', cause)
  if (!res.headersSent) res.removeHeader('Content-Encoding')
  return createTransformError('The response is already compressed: mount compression before api.transform.', cause)
}

function isJson(type: unknown): boolean {
  const essence = getEssence(type)
  return essence === 'application/json' || essence.endsWith('+json')
}

/** Returns a media type in lower case, without parameters. */
function getEssence(type: unknown): string {
  return (String(type).split(';', 1)[0] ?? '').trim().toLowerCase()
}
