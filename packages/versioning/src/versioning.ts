import type { Middleware } from '../../internal/middleware.ts'
import { type Catalogue, type Known, makeCatalogue } from './catalogue.ts'
import { makeChoose, type VersionClues, type VersionDecision } from './choose.ts'
import { type Field, makeLifecycle } from './lifecycle.ts'
import { makeMiddleware } from './middleware.ts'
import { offersFor, type VersionedOffer } from './offers.ts'
import { checkOptions, type VersioningOptions } from './options.ts'
import { type RequestVersion, requestVersion } from './request.ts'
import { readSources } from './sources.ts'

/** The versions of a service: itself the middleware that chooses one for each request. */
export interface Versioning<V extends string = string> extends Middleware {
  /** The versions that are served, oldest first. */
  readonly versions: readonly V[]
  /** The newest version: the shape that handlers know. */
  readonly latest: V
  /** Decides which version serves a request, without a request: pure, and it never throws. */
  choose(clues: VersionClues): VersionDecision<V>
  /** What the middleware found out; `undefined` before it ran. */
  versionOf(req: object): RequestVersion<V> | undefined
  /** The fields that tell about the version of a request, for a service that writes its whole head at once. */
  fieldsOf(req: object): readonly Field[]
  /**
   * The types to negotiate with for a version: the plain ones, and the vendor types of this version. Give the request's
   * version (`versionOf(req)`) rather than its name, so that a vendor type that was asked for wins among equals.
   */
  offersFor(version: V | RequestVersion, plainTypes: readonly string[]): VersionedOffer[]
}

/**
 * One resolver for versions by path, header, media type and query. Mount what it returns before the router:
 * `app.use(versioning({ versions: ['1', '2'] }))`. Throws a TypeError where an option is wrong.
 */
export function versioning<const V extends string>(options: VersioningOptions<V>): Versioning<V> {
  checkOptions(options)
  const catalogue = makeCatalogue(options.versions, Object.keys(options.retired ?? {}), options.scheme ?? 'integer')
  const sources = readSources(options)
  const lifecycle = makeLifecycle(options, catalogue, sources.path)
  const fallback = fallbackOf(options, catalogue)
  const pathPrefix = sources.path ? (options.pathPrefix ?? 'v') : undefined
  const choose = makeChoose({ ...sources, catalogue, fallback, pathPrefix, linksOf: lifecycle.links })
  const { middleware, fieldsOf } = makeMiddleware({ options, catalogue, sources, lifecycle, choose, pathPrefix })

  return Object.assign(middleware, {
    versions: catalogue.supported.map(({ name }) => name),
    latest: catalogue.latest.name,
    choose,
    versionOf: (req: object) => requestVersion.get(req) as RequestVersion<V> | undefined,
    fieldsOf,
    offersFor: (version: V | RequestVersion, plainTypes: readonly string[]) =>
      typeof version === 'string'
        ? offersFor(plainTypes, sources.vendor, version, undefined)
        : offersFor(plainTypes, sources.vendor, version.version, version.mediaType),
  })
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
