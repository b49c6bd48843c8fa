import { channel } from 'node:diagnostics_channel'
import { failure } from '../../internal/failure.ts'
import { guard } from '../../internal/guard.ts'
import {
  fieldOf,
  type IncomingMessage,
  type Middleware,
  type Next,
  type ServerResponse,
} from '../../internal/middleware.ts'
import { refuse } from '../../internal/refuse.ts'
import { vary } from '../../internal/vary.ts'
import type { Catalogue } from './catalogue.ts'
import type { VersionChoice, VersionClues, VersionDecision } from './choose.ts'
import type { Field, Lifecycle } from './lifecycle.ts'
import { writeMediaType } from './media-answer.ts'
import type { VersioningOptions, VersionReader } from './options.ts'
import { findSegment, withoutSegment } from './path.ts'
import type { VersionRefusal } from './refusal.ts'
import { type RequestVersion, requestVersion } from './request.ts'
import type { Sources } from './sources.ts'

/** What is published on the diagnostics channel `svc:versioning:request` for each request. */
export interface VersioningEvent {
  req: IncomingMessage
  /** The version that serves the request; `undefined` when it is refused. */
  version: string | undefined
  source: string | undefined
  deprecated: boolean
  /** The code of the refusal. */
  refused: string | undefined
}

/** What the factory has made of the options. */
export interface Parts {
  options: VersioningOptions
  catalogue: Catalogue
  sources: Sources
  lifecycle: Lifecycle
  choose: (clues: VersionClues) => VersionDecision
  pathPrefix: string | undefined
}

type Found = NonNullable<VersionClues['custom']>

const events = channel('svc:versioning:request')

/** The middleware, and the fields that it would set. */
export function makeMiddleware(parts: Parts): { middleware: Middleware; fieldsOf: (req: object) => readonly Field[] } {
  const { options, sources, lifecycle, choose, pathPrefix } = parts
  const { onRefused, now = Date.now, fields = 'all' } = options
  const announcements = makeAnnouncements(parts, fields === 'served' ? 'served' : 'all')
  const plain = new Map<string, RequestVersion>()

  const decide = (req: IncomingMessage, res: ServerResponse, next: Next, custom: Found | undefined): void => {
    const decision = choose(cluesOf(req, sources, custom))
    if ('status' in decision) return turnAway(decision, req, res, next)
    const ending = lifecycle.canRefuse(decision.version) ? lifecycle.refusalAt(decision.version, now()) : undefined
    if (ending) return turnAway(ending, req, res, next)
    const version = remember(decision)
    requestVersion.set(req, version)
    if (version.prefix !== '' && pathPrefix !== undefined) stripPrefix(req, pathPrefix)
    if (fields !== 'none') announce(res, announcements.of(version))
    if (version.mediaType !== undefined && options.writeMediaType !== false) writeMediaType(req, res, version.mediaType)
    if (events.hasSubscribers) publish(req, version, undefined)
    next()
  }

  // Unversioned requests and those of a plain header are all alike: one frozen object serves them.
  const remember = (choice: VersionChoice): RequestVersion => {
    const deprecated = lifecycle.isDeprecated(choice.version)
    if (choice.prefix || choice.query || choice.mediaType) return Object.freeze({ ...choice, deprecated })
    const key = `${choice.source} ${choice.version}`
    const known = plain.get(key)
    if (known) return known
    const version = Object.freeze({ ...choice, deprecated })
    plain.set(key, version)
    return version
  }

  const turnAway = (refusal: VersionRefusal, req: IncomingMessage, res: ServerResponse, next: Next): void => {
    const { own, vary: names } = announcements.unknown
    if (names.length > 0) vary(res, ...names)
    if (events.hasSubscribers) publish(req, undefined, refusal.code)
    // With the failure, since a host that shows errors may have thrown away the fields that were set before.
    const headers = { ...Object.fromEntries(own), ...refusal.headers }
    refuse(failure({ ...refusal, headers }), req, res, next, onRefused)
  }

  return {
    middleware: (req, res, next) => {
      if (requestVersion.get(req)) return next()
      if (sources.readers.length === 0) decide(req, res, next, undefined)
      else readOwn(req, sources.readers, [], (found) => decide(req, res, next, found), next)
    },
    fieldsOf: (req) => {
      const version = requestVersion.get(req)
      return (version ? announcements.of(version) : announcements.unknown).all
    },
  }
}

function cluesOf(req: IncomingMessage, sources: Sources, custom: Found | undefined): VersionClues {
  const { url = '/', headers } = req
  const question = sources.queryName === undefined ? -1 : url.indexOf('?')
  return {
    path: url,
    apiVersion: sources.apiVersion ? fieldOf(req, 'api-version') : undefined,
    acceptVersion: sources.acceptVersion ? fieldOf(req, 'accept-version') : undefined,
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
  guard(() => reader.read(req), proceed, fail)
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

function publish(req: IncomingMessage, version: RequestVersion | undefined, refused: string | undefined): void {
  const event: VersioningEvent = {
    req,
    version: version?.version,
    source: version?.source,
    deprecated: version?.deprecated ?? false,
    refused,
  }
  events.publish(event)
}

interface Announcement {
  /** Fields that nobody else sets. */
  own: readonly Field[]
  link: string
  vary: readonly string[]
  /** All of them together. */
  all: readonly Field[]
}

function announce(res: ServerResponse, { own, link, vary: names }: Announcement): void {
  for (const [name, value] of own) res.setHeader(name, value)
  if (link !== '') res.appendHeader('Link', link)
  if (names.length > 0) vary(res, ...names)
}

function makeAnnouncements(
  { catalogue, sources, lifecycle }: Parts,
  extent: 'all' | 'served',
): { of(version: RequestVersion): Announcement; unknown: Announcement } {
  const supported = catalogue.supported.map(({ name }) => name)
  const deprecated = supported.filter((name) => lifecycle.isDeprecated(name))
  const discovery: Field[] = []
  if (extent === 'all') discovery.push(['API-Supported-Versions', supported.join(', ')])
  if (extent === 'all' && deprecated.length > 0) discovery.push(['API-Deprecated-Versions', deprecated.join(', ')])

  const make = (own: readonly Field[], link: string, names: readonly string[]): Announcement => {
    const all: Field[] = [...own]
    if (link !== '') all.push(['Link', link])
    if (names.length > 0) all.push(['Vary', names.join(', ')])
    return { own, link, vary: names, all }
  }
  const forVersions = (names: readonly string[]): Map<string, Announcement> =>
    new Map(
      supported.map((name) => {
        const own: Field[] = [['API-Version', name], ...discovery, ...lifecycle.dates(name)]
        return [name, make(own, lifecycle.links(name), names)]
      }),
    )
  const [unprefixed, prefixed] = [forVersions(sources.vary), forVersions(sources.varyOfPath)]
  const unknown = make(discovery, '', sources.vary)
  return {
    unknown,
    of: ({ version, prefix }) => (prefix === '' ? unprefixed : prefixed).get(version) ?? unknown,
  }
}
