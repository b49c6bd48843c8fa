import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { type Announcements, makeAnnouncements } from './announce.ts'
import { type Catalogue, type Known, makeCatalogue } from './catalogue.ts'
import { writeChangelog } from './changelog.ts'
import { makeChanges, type VersionChange } from './changes.ts'
import { checkOptions } from './check-options.ts'
import { makeChoose, type RequestVersion, type VersionClues, type VersionDecision } from './choose.ts'
import { type Field, makeLifecycle } from './lifecycle.ts'
import { makeLinks } from './links.ts'
import { cluesOf, makeMiddleware } from './middleware.ts'
import { offersFor, type VersionedOffer } from './offers.ts'
import type { VersioningOptions } from './options.ts'
import { requestVersion } from './request.ts'
import { makeRoute, type Route, versionsIn } from './route.ts'
import { readSources } from './sources.ts'
import { makeTransform } from './transform.ts'

/** The versions of a service: itself the middleware that chooses one for each request. */
export interface Versioning<V extends string = string> extends Middleware {
  /** The versions that are served, oldest first. */
  readonly versions: readonly V[]
  /** The newest version: the shape that handlers know. */
  readonly latest: V
  /** Decides which version serves a request, without a request: pure, and it never throws. */
  choose(clues: VersionClues): VersionDecision<V>
  /** What of a request `choose` looks at. Own readers are not asked: they may take their time. */
  cluesOf(req: IncomingMessage): VersionClues
  /** What the middleware chose; `undefined` before it ran. */
  versionOf(req: object): RequestVersion<V> | undefined
  /** All fields that tell about the version of a request, for a service that writes its whole head at once. */
  fieldsOf(req: object): readonly Field[]
  /**
   * The types to negotiate with for a version: the plain ones, and its vendor types. Give the version of the request
   * (`versionOf(req)`) rather than its name, so that a vendor type that was asked for wins among equals.
   */
  offersFor(version: V | RequestVersion, plainTypes: readonly string[]): VersionedOffer[]
  /**
   * One handler of several, by versions: `'1'`, `'2+'`, `'2..4'`; `null` where the resource does not exist. Throws a
   * TypeError where a version has none or two.
   */
  route<Req extends IncomingMessage, Res extends ServerResponse>(
    handlers: Route<V, Req, Res>,
  ): (req: Req, res: Res, next: Next) => void
  /** The served versions that a key of `route` stands for. Throws a TypeError where it names none. */
  versionsIn(key: string): readonly string[]
  /** Says what came with a version, so that handlers need to know the newest shape alone. */
  change<Older = unknown, Newer = unknown>(version: V, change: VersionChange<Older, Newer>): void
  /** A request body of an older version, in the newest shape. Errors are those of the changes. */
  up(version: V, resource: string, body: unknown): unknown
  /** A response body of the newest shape, as an older version knows it. */
  down(version: V, resource: string, body: unknown): unknown
  /**
   * The middleware that applies the changes by their `paths`: parsed request bodies up, JSON answers below 300 down.
   * It stands behind the body parser.
   */
  readonly transform: Middleware
  /** The changes as Markdown, the newest version first. */
  changelog(): string
}

/**
 * One resolver for versions by path, header, media type and query. Mount what it returns before the router:
 * `app.use(versioning({ versions: ['1', '2'] }))`. Throws a TypeError where an option is wrong.
 */
export function versioning<const V extends string>(options: VersioningOptions<V>): Versioning<V> {
  checkOptions(options)
  const catalogue = makeCatalogue(options.versions, Object.keys(options.retired ?? {}), options.scheme ?? 'integer')
  const sources = readSources(options)
  const links = makeLinks(options, catalogue, sources.path)
  const lifecycle = makeLifecycle(options, links)
  const pathPrefix = sources.path ? (options.pathPrefix ?? 'v') : undefined
  const fallback = fallbackOf(options, catalogue)
  const choose = makeChoose({
    ...sources,
    catalogue,
    fallback,
    pathPrefix,
    links,
    isDeprecated: lifecycle.isDeprecated,
  })
  const announcements = makeAnnouncements(catalogue, sources, lifecycle, links, options.fields !== 'served')
  const changes = makeChanges(catalogue)
  const latest = catalogue.latest.name

  const middleware = makeMiddleware({ options, sources, lifecycle, announcements, choose, pathPrefix })
  return Object.assign(middleware, {
    versions: catalogue.supported.map(({ name }) => name),
    latest,
    choose,
    cluesOf: (req: IncomingMessage) => cluesOf(req, sources),
    versionOf: (req: object) => requestVersion.get(req) as RequestVersion<V> | undefined,
    fieldsOf: (req: object) => fieldsOf(req, announcements),
    offersFor: (version: V | RequestVersion, plainTypes: readonly string[]) =>
      typeof version === 'string'
        ? offersFor(plainTypes, sources.vendor, version, undefined)
        : offersFor(plainTypes, sources.vendor, version.version, version.mediaType),
    route: <Req extends IncomingMessage, Res extends ServerResponse>(handlers: Route<V, Req, Res>) =>
      makeRoute(catalogue, handlers),
    versionsIn: (key: string) => versionsIn(key, catalogue),
    change: changes.add,
    up: (version: V, resource: string, body: unknown) => changes.between(version, resource).up(body),
    down: (version: V, resource: string, body: unknown) => changes.between(version, resource).down(body),
    transform: makeTransform(changes, latest, options.onRefused),
    changelog: () => writeChangelog({ catalogue, deprecated: options.deprecated ?? {}, changesOf: changes.of }),
  })
}

function fieldsOf(req: object, announcements: Announcements): readonly Field[] {
  const version = requestVersion.get(req)
  return (version ? announcements.of(version) : announcements.refused).all
}

function fallbackOf<V extends string>(options: VersioningOptions<V>, catalogue: Catalogue<V>): Known<V> | undefined {
  const { default: name = 'lowest' } = options
  if (name === 'required') return undefined
  if (name === 'lowest') return catalogue.supported[0]
  if (name === 'latest') return catalogue.latest
  const version = catalogue.supported.find((supported) => supported.name === name)
  if (!version) throw new TypeError(`versioning: default must be a version that is served, got ${JSON.stringify(name)}`)
  return version
}
