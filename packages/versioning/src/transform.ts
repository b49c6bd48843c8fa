import { callSafely } from '../../internal/guard.ts'
import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import { interceptResponse } from '../../internal/intercept-response.ts'
import { memoize } from '../../internal/memoize.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import type { Changes } from './changes.ts'
import { requestVersion } from './request.ts'
import { createVariantTag } from './variant-tag.ts'

type Down = (body: unknown) => unknown

/**
 * Creates the middleware that converts parsed request bodies to the newest version, and JSON
 * responses back.
 */
export function createTransform(changes: Changes, latest: string, onRefused: OnRefused | undefined): Middleware {
  const getVariantTag = memoize(createVariantTag)
  return (req, res, next) => {
    const version = requestVersion.get(req)?.version
    const path = getUrlPath(req.url ?? '/')
    if (version === undefined || version === latest) return next()
    const changePath = changes.between(version, path)
    if (changePath.isEmpty) return next()
    const tag = getVariantTag(version)
    const remark = tag.unmark(req)
    downgradeResponse(req, res, {
      down: changePath.down,
      markTag: () => {
        tag.mark(res)
        remark()
      },
      fail: (error) => refuse(error, req, res, next, onRefused),
    })
    const carrier = req as { body?: unknown }
    if (!isParsed(carrier.body) || !hasContent(req)) return next()
    callSafely(
      () => changePath.up(carrier.body),
      (body) => {
        carrier.body = body
        next()
      },
      (error) => (isHttpErrorLike(error) ? next(error) : refuse(bodyError(error, version), req, res, next, onRefused)),
    )
  }
}

function isParsed(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

// Body parsers of Express 4 leave an empty object where there is no content.
function hasContent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

// `up` is the first to read what the client sent: what it stumbles over is a wrong body, unless it
// says otherwise.
function bodyError(cause: unknown, version: string): HttpErrorLike {
  const message = `The body is not valid in version ${version}.`
  return createHttpError({ status: 400, code: 'ERR_VERSIONING_BODY_INVALID', message, cause })
}

function isHttpErrorLike(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error
}

function getUrlPath(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

interface Lowering {
  down(body: unknown): unknown
  markTag(): void
  fail(error: HttpErrorLike): void
}

function downgradeResponse(req: IncomingMessage, res: ServerResponse, { down, markTag, fail }: Lowering): void {
  const isLowered = lowerJson(res, down, fail)
  const chunks: Buffer[] = []
  let takesAll = false
  interceptResponse(req, res, {
    late: true,
    head: () => {
      markTag()
      takesAll = !isLowered() && res.statusCode < 300 && isPlainJson(res)
      // The length is that of the newest shape; the true one follows, but not on HEAD.
      if (takesAll) res.removeHeader('Content-Length')
    },
    write: (chunk, onward) => {
      if (!takesAll) return onward.write(chunk)
      chunks.push(chunk)
      return true
    },
    end: (last, onward) => {
      if (!takesAll) return onward.end(last)
      const whole = Buffer.concat(last ? [...chunks, last] : chunks)
      if (whole.length === 0) return onward.end()
      const lowered = lower(whole, down)
      if (Buffer.isBuffer(lowered)) {
        if (!res.headersSent) res.setHeader('Content-Length', lowered.length)
        return onward.end(lowered)
      }
      // The handler has ended the response, but nothing is sent yet, so the error handler responds
      // instead.
      onward.reopen()
      fail(lowered)
    },
  })
}

/** Express: the body is still a value in `res.json`, before it is written and tagged. */
function lowerJson(res: ServerResponse, down: Down, fail: (error: HttpErrorLike) => void): () => boolean {
  const express = res as { json?: (body: unknown) => unknown }
  const { json } = express
  let isLowered = false
  if (typeof json === 'function')
    express.json = (body) => {
      express.json = json
      isLowered = true
      if (res.statusCode >= 300) return json.call(res, body)
      let lowered: unknown
      try {
        lowered = down(body)
      } catch (cause) {
        // Not thrown on: Express 4 does not see what an async handler rejects with.
        fail(conversionError(cause))
        return res
      }
      return json.call(res, lowered)
    }
  return () => isLowered
}

function lower(body: Buffer, down: Down): Buffer | HttpErrorLike {
  try {
    return Buffer.from(JSON.stringify(down(JSON.parse(body.toString()))))
  } catch (cause) {
    return conversionError(cause)
  }
}

function conversionError(cause: unknown): HttpErrorLike {
  const message = 'The response could not be converted to the version of the request.'
  return createHttpError({ status: 500, code: 'ERR_VERSIONING_TRANSFORM_FAILED', message, cause })
}

function isPlainJson(res: ServerResponse): boolean {
  const type = res.getHeader('Content-Type')
  if (typeof type !== 'string' || res.hasHeader('Content-Encoding') || res.statusCode === 206) return false
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase()
  return essence === 'application/json' || essence.endsWith('+json')
}
