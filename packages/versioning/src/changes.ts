import { isPromise } from '../../internal/guard.ts'
import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import { assertKnownOptions, assertTypes, inspectValue } from '../../internal/options.ts'
import type { ApiVersions } from './api-versions.ts'
import { compilePattern, type PathTest } from './pattern.ts'

/**
 * A breaking change that came with a version. `Older` is the format before it, `Newer` the format
 * since. Both functions return a new value, not a promise, and do not modify their argument.
 */
export interface VersionChange<Older = unknown, Newer = unknown> {
  /** Description for the changelog, one sentence. */
  description: string
  /** Name of the changed resource, for `api.up` and `api.down`. */
  resource?: string
  /**
   * Paths of the change for `api.transform`: `/employees`, `/employees/*` (one segment),
   * `/files/**`.
   */
  paths?: readonly string[]
  /** The property with the items, if a body can be a page of them, such as `items`. */
  items?: string
  /**
   * Converts a request body of the previous version to this version. A merge patch has only some of
   * the properties. A JSON Patch is rejected, since it cannot be converted.
   */
  up?(body: Older): Newer
  /** Converts a response body of this version to the previous version. */
  down?(body: Newer): Older
}

/** The changes of a resource between an older version and the newest one. */
export interface ChangePath {
  /** Whether a change converts bodies of requests. */
  hasUp: boolean
  /** Whether a change converts bodies of responses. */
  hasDown: boolean
  /** Converts a body of the older version to the newest format. */
  up(body: unknown): unknown
  /** Converts a body of the newest format to the older version. */
  down(body: unknown): unknown
}

/** The changes of an API, in the order of the versions. */
export interface Changes<V extends string = string> {
  add(version: V, change: VersionChange): void
  /** Returns the changes that came with a version. */
  get(version: string): readonly VersionChange[]
  /**
   * Returns the changes between a version and the newest one. A resource with a leading slash is a
   * path.
   */
  between(version: string, resource: string): ChangePath
}

interface ChangeStep {
  index: number
  change: VersionChange
  tests: readonly PathTest[]
}

export const TRANSFORM_FAILED = 'ERR_VERSIONING_TRANSFORM_FAILED'

/** Creates the error of a change that failed for a reason other than the body of the client. */
export function createTransformError(message: string, cause?: unknown): HttpErrorLike {
  return createHttpError({ status: 500, code: TRANSFORM_FAILED, message, cause })
}

/** Creates an empty list of changes. */
export function createChanges<V extends string>(apiVersions: ApiVersions<V>): Changes<V> {
  const names: readonly string[] = apiVersions.names
  const all: ChangeStep[] = []
  return {
    add: (version, change) => {
      const index = names.indexOf(version)
      checkChange(version, index, change)
      all.push({ index, change, tests: (change.paths ?? []).map(compilePattern) })
      // The sort is stable, so changes of the same version keep their order.
      all.sort((a, b) => a.index - b.index)
    },
    get: (version) => all.filter(({ index }) => names[index] === version).map(({ change }) => change),
    between: (version, resource) => {
      const from = names.indexOf(version)
      if (from === -1)
        throw new TypeError(`versioning: version must be a supported version, got ${inspectValue(version)}`)
      const steps = all.filter((step) => step.index > from && appliesTo(step, resource)).map(({ change }) => change)
      return {
        hasUp: steps.some(({ up }) => up !== undefined),
        hasDown: steps.some(({ down }) => down !== undefined),
        up: (body) => steps.reduce((value, change) => applyTo(value, change.up, change), body),
        down: (body) => steps.reduceRight((value, change) => applyTo(value, change.down, change), body),
      }
    },
  }
}

const TYPES = { resource: 'string', paths: 'strings', items: 'string', up: 'function', down: 'function' } as const

function checkChange(version: string, index: number, change: VersionChange): void {
  assertKnownOptions('versioning', change, ['description', 'resource', 'paths', 'items', 'up', 'down'])
  if (index === -1)
    throw new TypeError(`versioning: addChange: version must be a supported version, got ${inspectValue(version)}`)
  if (index === 0) throw new TypeError(`versioning: addChange: version must not be the oldest one, got "${version}"`)
  if (typeof change.description !== 'string' || change.description === '')
    throw new TypeError(
      `versioning: addChange: description of a change of version "${version}" must be a sentence, got ${inspectValue(change.description)}`,
    )
  assertTypes(`versioning: addChange: change of version "${version}"`, change, TYPES)
  if (change.resource?.startsWith('/'))
    throw new TypeError(
      `versioning: addChange: resource must be a name, got ${inspectValue(change.resource)}; did you mean paths?`,
    )
  if ((change.up || change.down) && change.resource === undefined && !change.paths?.length)
    throw new TypeError(
      `versioning: addChange: a change of version "${version}" with up or down must have a resource or paths`,
    )
}

function appliesTo({ change: { resource }, tests }: ChangeStep, requested: string): boolean {
  return requested.charAt(0) === '/' ? tests.some((test) => test(requested)) : resource === requested
}

function applyTo(body: unknown, transform: ((body: never) => unknown) | undefined, { items }: VersionChange): unknown {
  if (!transform || body === undefined || body === null) return body
  const transformItem = (item: unknown): unknown => {
    const transformed = transform(item as never)
    if (!isPromise(transformed)) return transformed
    // Its rejection must not end the process.
    transformed.then(undefined, () => {})
    throw createTransformError('A change must return a value, not a promise.')
  }
  if (items === undefined) return transformItem(body)
  if (Array.isArray(body)) return body.map(transformItem)
  const page = body as Record<string, unknown>
  const list = Object.hasOwn(page, items) ? page[items] : undefined
  return Array.isArray(list) ? { ...page, [items]: list.map(transformItem) } : transformItem(body)
}
