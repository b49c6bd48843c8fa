import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import { interceptResponse } from '../../internal/intercept-response.ts'
import { memoize } from '../../internal/memoize.ts'
import { getPath, type IncomingMessage, type Middleware, type ServerResponse } from '../../internal/middleware.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { toBuffer } from '../../internal/response-state.ts'
import { type Changes, createTransformError, TRANSFORM_FAILED } from './changes.ts'
import { requestVersion } from './request.ts'
import { createVersionETag } from './version-etag.ts'

type ConvertDown = (body: unknown) => unknown

/**
 * Creates the middleware that converts parsed request bodies to the newest version, and JSON
 * responses back.
 */
export function createTransform(changes: Changes, latest: string, onRefused: OnRefused | undefined): Middleware {
  const getVersionETag = memoize(createVersionETag)
  return (req, res, next) => {
    const version = requestVersion.get(req)?.version
    if (version === undefined || version === latest) return next()
    // Not of `req`, whose `originalUrl` still has the version.
    const changePath = changes.between(version, getPath({ url: req.url }))
    if (changePath.isEmpty) return next()
    const etag = getVersionETag(version)
    const restoreConditions = etag.removeSuffix(req)
    downgradeResponse(req, res, {
      down: changePath.down,
      addSuffix: () => {
        etag.addSuffix(res)
        restoreConditions()
      },
      fail: (error) => refuse(error, req, res, next, onRefused),
    })
    const request = req as { body?: unknown }
    if (!isParsed(request.body) || !hasContent(req, request.body)) return next()
    if (changePath.hasUp && getEssence(req.headers['content-type']) === 'application/json-patch+json')
      return refuse(createPatchError(version), req, res, next, onRefused)
    try {
      request.body = changePath.up(request.body)
    } catch (error) {
      const hasStatus = isHttpErrorLike(error)
      if (hasStatus && error.code !== TRANSFORM_FAILED && next.length > 0) return next(error)
      return refuse(hasStatus ? error : createBodyError(error, version), req, res, next, onRefused)
    }
    next()
  }
}

function isParsed(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

// Body parsers of Express 4 set an empty object if there is no content. HTTP/2 needs neither header
// (RFC 9113 §8.1.1, §8.2.2), so a body with properties is content as well.
function hasContent({ headers }: IncomingMessage, body: object): boolean {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  return Object.keys(body).length > 0
}

// `up` is the first function that reads the body, so its error means an invalid body, unless it has
// a status.
function createBodyError(cause: unknown, version: string): HttpErrorLike {
  const message = `The body is not valid in version ${version}.`
  return createHttpError({ status: 400, code: 'ERR_VERSIONING_BODY_INVALID', message, cause })
}

// Its operations are on paths of the older format.
function createPatchError(version: string): HttpErrorLike {
  const message = `A JSON Patch cannot be converted from version ${version}: send a merge patch.`
  return createHttpError({ status: 415, code: 'ERR_VERSIONING_BODY_INVALID', message })
}

function isHttpErrorLike(error: unknown): error is HttpErrorLike {
  return typeof error === 'object' && error !== null && 'status' in error
}

interface DowngradeOptions {
  down(body: unknown): unknown
  addSuffix(): void
  fail(error: HttpErrorLike): void
}

function downgradeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { down, addSuffix, fail }: DowngradeOptions,
): void {
  const isDowngraded = interceptJson(res, down, fail)
  const chunks: Buffer[] = []
  let buffersBody = false
  interceptResponse(req, res, {
    late: true,
    head: () => {
      addSuffix()
      buffersBody = !isDowngraded() && res.statusCode < 300 && isPlainJson(res)
      // Content-Length belongs to the newest format. The new one follows, except for HEAD.
      if (buffersBody) res.removeHeader('Content-Length')
    },
    write: (chunk, downstream) => {
      if (!buffersBody) return downstream.write(chunk)
      chunks.push(chunk)
      return true
    },
    end: (last, downstream) => {
      if (!buffersBody) return downstream.end(last)
      const whole = Buffer.concat(last ? [...chunks, toBuffer(last)] : chunks)
      if (whole.length === 0) return downstream.end()
      const downgraded = downgradeBody(whole, down)
      if (Buffer.isBuffer(downgraded)) {
        if (!res.headersSent) res.setHeader('Content-Length', downgraded.length)
        return downstream.end(downgraded)
      }
      // The handler has ended the response, but nothing has been sent, so the error handler can
      // still respond.
      downstream.reopen()
      fail(downgraded)
    },
  })
}

/** In Express, converts the body in `res.json`, before it is serialized and gets an ETag. */
function interceptJson(res: ServerResponse, down: ConvertDown, fail: (error: HttpErrorLike) => void): () => boolean {
  const express = res as { json?: (body: unknown) => unknown }
  const { json } = express
  let isDowngraded = false
  if (typeof json !== 'function') return () => false
  const sendDowngraded = (body: unknown): unknown => {
    express.json = json
    isDowngraded = true
    if (res.statusCode >= 300) return json.call(res, body)
    let downgraded: unknown
    try {
      downgraded = down(body)
    } catch (cause) {
      // Not rethrown: Express 4 ignores the rejection of an async handler.
      fail(createConversionError(cause))
      return res
    }
    return json.call(res, downgraded)
  }
  express.json = sendDowngraded // not the function itself: see internal/intercept-response.ts
  return () => isDowngraded
}

function downgradeBody(body: Buffer, down: ConvertDown): Buffer | HttpErrorLike {
  try {
    return Buffer.from(JSON.stringify(down(JSON.parse(body.toString()))))
  } catch (cause) {
    return createConversionError(cause)
  }
}

function createConversionError(cause: unknown): HttpErrorLike {
  return createTransformError('The response could not be converted to the version of the request.', cause)
}

function isPlainJson(res: ServerResponse): boolean {
  const type = res.getHeader('Content-Type')
  if (typeof type !== 'string' || res.hasHeader('Content-Encoding') || res.statusCode === 206) return false
  const essence = getEssence(type)
  return essence === 'application/json' || essence.endsWith('+json')
}

/** Returns a media type in lower case, without parameters. */
function getEssence(type = ''): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}
