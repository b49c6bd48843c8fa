import { type Failure, failure } from '../../internal/failure.ts'
import { guard } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { writeRecord } from '../../internal/record.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { type Onward, tap } from '../../internal/tap.ts'
import type { Changes } from './changes.ts'
import { requestVersion } from './request.ts'
import { makeVariantTag } from './variant-tag.ts'

type Down = (body: unknown) => unknown

/** Makes the middleware that brings parsed request bodies up to the newest version, and JSON answers down again. */
export function makeTransform(changes: Changes, latest: string, onRefused: OnRefused | undefined): Middleware {
  return (req, res, next) => {
    const version = requestVersion.get(req)?.version
    const path = pathOfUrl(req.url ?? '/')
    if (version === undefined || version === latest) return next()
    const passage = changes.between(version, path)
    if (passage.isEmpty) return next()
    const tag = makeVariantTag(version)
    tag.unmark(req)
    lowerAnswer(req, res, passage.down, tag.mark)
    const carrier = req as { body?: unknown }
    if (typeof carrier.body !== 'object' || carrier.body === null || Buffer.isBuffer(carrier.body)) return next()
    guard(
      () => passage.up(carrier.body),
      (body) => {
        carrier.body = body
        next()
      },
      (error) => (isFailure(error) ? next(error) : refuse(bodyFailure(error, version), req, res, next, onRefused)),
    )
  }
}

// `up` is the first to read what the client sent: what it stumbles over is a wrong body, unless it says otherwise.
function bodyFailure(cause: unknown, version: string): Failure {
  const message = `The body does not have the shape of version ${version}.`
  return failure({ status: 400, code: 'ERR_VERSIONING_BODY', message, cause })
}

function isFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error
}

function pathOfUrl(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function lowerAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  down: Down,
  markTag: (res: ServerResponse) => void,
): void {
  const isLowered = lowerJson(res, down)
  const chunks: Buffer[] = []
  let takesAll = false
  tap(req, res, {
    head: () => {
      markTag(res)
      takesAll = !isLowered() && res.statusCode < 300 && isPlainJson(res)
      // The length is that of the newest shape: the true one follows, or chunks on HEAD and after writeHead.
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
      finish(req, res, whole, down, onward)
    },
  })
}

/** Express: the body is still a value in `res.json`, before it is written and tagged. */
function lowerJson(res: ServerResponse, down: Down): () => boolean {
  const express = res as { json?: (body: unknown) => unknown }
  const { json } = express
  let isLowered = false
  if (typeof json === 'function')
    express.json = (body) => {
      express.json = json
      isLowered = true
      return json.call(res, res.statusCode < 300 ? down(body) : body)
    }
  return () => isLowered
}

function finish(req: IncomingMessage, res: ServerResponse, whole: Buffer, down: Down, onward: Onward): void {
  let lowered: Buffer
  try {
    lowered = Buffer.from(JSON.stringify(down(JSON.parse(whole.toString()))) ?? '')
  } catch (cause) {
    // The handler is done, so nobody behind next could answer any more.
    res.end = ((chunk?: Buffer) => {
      onward.end(chunk)
      return res
    }) as typeof res.end
    const message = 'The answer could not be brought to the version of the request.'
    return writeRecord(req, res, failure({ status: 500, code: 'ERR_VERSIONING_TRANSFORM', message, cause }))
  }
  if (!res.headersSent) res.setHeader('Content-Length', lowered.length)
  onward.end(lowered)
}

function isPlainJson(res: ServerResponse): boolean {
  const type = res.getHeader('Content-Type')
  if (typeof type !== 'string' || res.hasHeader('Content-Encoding') || res.statusCode === 206) return false
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase()
  return essence === 'application/json' || essence.endsWith('+json')
}
