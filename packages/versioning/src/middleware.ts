import { callSafely } from '../../internal/guard.ts'
import { createHttpError } from '../../internal/http-error.ts'
import {
  getHeader,
  type IncomingMessage,
  type Middleware,
  type Next,
  type ServerResponse,
} from '../../internal/middleware.ts'
import { refuse } from '../../internal/refuse.ts'
import { vary } from '../../internal/vary.ts'
import { type Announcements, announce } from './announce.ts'
import type { VersionClues, VersionDecision } from './choose.ts'
import type { Lifecycle } from './lifecycle.ts'
import { writeMediaType } from './media-answer.ts'
import type { VersioningOptions, VersionReader } from './options.ts'
import { findSegment, withoutSegment } from './path.ts'
import type { VersionRefusal } from './refusal.ts'
import { requestVersion } from './request.ts'
import type { Sources } from './sources.ts'
import { publishUsage } from './usage.ts'

/** What the factory has made of the options. */
export interface MiddlewareParts {
  options: VersioningOptions
  sources: Sources
  lifecycle: Lifecycle
  announcements: Announcements
  choose: (clues: VersionClues) => VersionDecision
  pathPrefix: string | undefined
}

type Found = NonNullable<VersionClues['custom']>

/** Makes the middleware: it chooses, keeps the fact, sets the fields, takes the prefix off. */
export function makeMiddleware(parts: MiddlewareParts): Middleware {
  const { options, sources, lifecycle, announcements, choose, pathPrefix } = parts
  const { onRefused, now = Date.now } = options
  const setsFields = options.fields !== 'none'
  const writesMediaType = options.writeMediaType !== false

  const serve = (req: IncomingMessage, res: ServerResponse, next: Next, custom: Found | undefined): void => {
    const version = choose(cluesOf(req, sources, custom))
    if ('status' in version) return turnAway(version, req, res, next)
    const ending = lifecycle.mayEnd(version.version) ? lifecycle.refusalAt(version.version, now()) : undefined
    if (ending) return turnAway(ending, req, res, next)
    requestVersion.set(req, version)
    if (version.prefix !== '' && pathPrefix !== undefined) stripPrefix(req, pathPrefix)
    if (setsFields) announce(res, announcements.of(version))
    if (writesMediaType && version.mediaType !== undefined) writeMediaType(req, res, version.mediaType)
    publishUsage(req, version, undefined)
    next()
  }

  const turnAway = (refusal: VersionRefusal, req: IncomingMessage, res: ServerResponse, next: Next): void => {
    const { own, vary: names } = announcements.refused
    if (names.length > 0) vary(res, ...names)
    publishUsage(req, undefined, refusal.code)
    // With the failure, since a host that shows errors may throw away the fields that were set before.
    const headers = { ...Object.fromEntries(own), ...refusal.headers }
    refuse(createHttpError({ ...refusal, headers }), req, res, next, onRefused)
  }

  return (req, res, next) => {
    // Mounted twice: the first has settled it, and what looks like a second prefix is a resource.
    if (requestVersion.get(req)) next()
    else if (sources.readers.length === 0) serve(req, res, next, undefined)
    else readOwn(req, sources.readers, [], (found) => serve(req, res, next, found), next)
  }
}

/** The clues of a request that comes over node:http. */
export function cluesOf(req: IncomingMessage, sources: Sources, custom?: Found): VersionClues {
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

function readOwn(
  req: IncomingMessage,
  readers: readonly VersionReader[],
  found: Found,
  done: (found: Found) => void,
  fail: (error: unknown) => void,
): void {
  const [reader, ...rest] = readers
  if (!reader) return done(found)
  const proceed = (text: string | undefined): void =>
    readOwn(req, rest, text === undefined ? found : [...found, [reader.name, String(text)]], done, fail)
  callSafely(() => reader.read(req), proceed, fail)
}

// As connect does for a mount path: the router behind sees the rest, and originalUrl keeps the whole.
function stripPrefix(req: IncomingMessage, pathPrefix: string): void {
  const target = req.url ?? '/'
  const segment = findSegment(target, pathPrefix)
  if (!segment) return
  const whole = req as { originalUrl?: unknown }
  whole.originalUrl ??= target
  req.url = withoutSegment(target, segment)
}
