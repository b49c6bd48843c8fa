import { callSafely } from '../../internal/guard.ts'
import { createHttpError } from '../../internal/http-error.ts'
import { interceptResponse } from '../../internal/intercept-response.ts'
import {
  getHeader,
  type IncomingMessage,
  type Middleware,
  type Next,
  type ServerResponse,
} from '../../internal/middleware.ts'
import { passError } from '../../internal/pass-error.ts'
import { refuse } from '../../internal/refuse.ts'
import { vary } from '../../internal/vary.ts'
import type { Changes } from './changes.ts'
import type { VersioningCore } from './core.ts'
import { toVendorType } from './offers.ts'
import type { VersioningOptions, VersionReader } from './options.ts'
import { publishEvent } from './publish-event.ts'
import { VERSION, type Versioned } from './request.ts'
import { findSegment, removeSegment } from './request-target.ts'
import type { VersionCandidates } from './resolve-version.ts'
import { setResponseHeaders } from './response-headers.ts'
import type { Sources } from './sources.ts'
import { findChangePath } from './transform.ts'
import type { VersionError } from './version-error.ts'
import { isRead, removeSuffix } from './version-etag.ts'

type CustomCandidates = NonNullable<VersionCandidates['custom']>

/**
 * Creates the middleware, which resolves the version, stores it, sets the headers and removes the
 * prefix of the path.
 */
export function createMiddleware(core: VersioningCore, options: VersioningOptions): Middleware {
  const { sources, lifecycle, pathPrefix, changes, api } = core
  const { onRefused, headers: set = 'all', setContentType: setsContentType = true, now = Date.now } = options
  const headers = core.headers[set === 'none' ? 'all' : set]

  const serve = (
    req: IncomingMessage & Versioned,
    res: ServerResponse,
    next: Next,
    custom?: CustomCandidates,
  ): void => {
    const version = api.resolve(readCandidates(req, sources, custom))
    if ('status' in version) return reject(version, req, res, next)
    const endError = lifecycle.checkEnd(version.version, now)
    if (endError) return reject(endError, req, res, next)
    req[VERSION] = version
    if (version.prefix !== '' && pathPrefix !== undefined) removePrefix(req, pathPrefix)
    if (version.version !== api.latest) hideSuffix(req, version.version, changes)
    if (set !== 'none') setResponseHeaders(res, headers.for(version))
    if (setsContentType && version.mediaType !== undefined) setContentType(req, res, version.mediaType)
    publishEvent(req, version, undefined)
    next()
  }

  const reject = (error: VersionError, req: IncomingMessage, res: ServerResponse, next: Next): void => {
    const { entries, vary: names } = headers.for(undefined)
    if (names.length > 0) vary(res, ...names)
    publishEvent(req, undefined, error.code)
    // Set on the error, too, since a host may drop the headers of the response when it sends an
    // error.
    const all = { ...Object.fromEntries(entries), ...error.headers }
    refuse(createHttpError({ ...error, headers: all }), req, res, next, onRefused)
  }

  return (req: IncomingMessage & Versioned, res, next) => {
    // If it is mounted twice, the first one has resolved the version, and a second prefix is a
    // resource.
    if (req[VERSION]) next()
    else if (sources.readers.length === 0) serve(req, res, next)
    else
      callReaders(
        req,
        sources.readers,
        [],
        (custom) => serve(req, res, next, custom),
        (error) => passError(error, 'ERR_VERSIONING_CALLBACK_FAILED', req, res, next),
      )
  }
}

/** Reads the parts of a request that can name a version. */
export function readCandidates(req: IncomingMessage, sources: Sources, custom?: CustomCandidates): VersionCandidates {
  const { url = '/', headers } = req
  const question = sources.queryName === undefined ? -1 : url.indexOf('?')
  return {
    path: url,
    apiVersion: sources.apiVersion ? getHeader(req, 'api-version') : undefined,
    acceptVersion: sources.acceptVersion ? getHeader(req, 'accept-version') : undefined,
    accept: headers.accept,
    contentType: headers['content-type'],
    query: question === -1 ? undefined : url.slice(question + 1),
    custom,
  }
}

function callReaders(
  req: IncomingMessage,
  readers: readonly VersionReader[],
  custom: CustomCandidates,
  done: (custom: CustomCandidates) => void,
  fail: (error: unknown) => void,
): void {
  const [reader, ...rest] = readers
  if (!reader) return done(custom)
  const proceed = (text: string | undefined): void =>
    callReaders(req, rest, text === undefined ? custom : [...custom, [reader.name, String(text)]], done, fail)
  callSafely(() => reader.read(req), proceed, fail)
}

// Later middleware may check the conditions of a change before `transform` runs.
function hideSuffix(req: IncomingMessage, version: string, changes: Changes): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = req.headers
  if ((match ?? noneMatch) === undefined || isRead(req)) return
  if (findChangePath(changes, req, version).hasDown) removeSuffix(req, version)
}

// Like a mount path of connect: later middleware sees the rest, and originalUrl keeps the request
// target.
function removePrefix(req: IncomingMessage, pathPrefix: string): void {
  const target = req.url ?? '/'
  const segment = findSegment(target, pathPrefix)
  if (!segment) return
  const request = req as { originalUrl?: unknown }
  request.originalUrl ??= target
  req.url = removeSegment(target, segment)
}

/**
 * Sets the vendor type that the client requested on a JSON or XML response. Errors keep their own
 * types.
 */
function setContentType(req: IncomingMessage, res: ServerResponse, mediaType: string): void {
  interceptResponse(req, res, {
    head: () => {
      const type = toVendorType(res.getHeader('content-type'), res.statusCode, { mediaType })
      if (type !== undefined) res.setHeader('Content-Type', type)
    },
  })
}
