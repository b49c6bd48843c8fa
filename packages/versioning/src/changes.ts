import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { ApiVersions } from './api-versions.ts'
import { compilePattern, type PathTest } from './pattern.ts'

/**
 * A breaking change that came with a version. `Older` is the format before it, `Newer` the format
 * since it. Both functions return a new value and do not modify their argument.
 */
export interface VersionChange<Older = unknown, Newer = unknown> {
  /** One sentence for the changelog. */
  description: string
  /** Name of the resource that it changes, for `api.up` and `api.down`. */
  resource?: string
  /**
   * The paths that it applies to in `api.transform`: `/employees`, `/employees/*` (one segment),
   * `/files/**`.
   */
  paths?: readonly string[]
  /** The property with the single items if a body is a page of them: `items`. */
  items?: string
  /**
   * Converts a request body of the previous version to this version. A PATCH has only some of the
   * properties.
   */
  up?(body: Older): Newer
  /** Converts a response body of this version to the previous version. */
  down?(body: Newer): Older
}

/** All changes of one resource that lie between an older version and the newest. */
export interface ChangePath {
  isEmpty: boolean
  /** A body of the older version, in the newest shape. */
  up(body: unknown): unknown
  /** A body of the newest shape, as the older version knows it. */
  down(body: unknown): unknown
}

/** The changes of a service, in the order of the versions. */
export interface Changes<V extends string = string> {
  add(version: V, change: VersionChange): void
  /** The changes that came with a version. */
  of(version: string): readonly VersionChange[]
  /**
   * Returns the changes between a version and the newest one. A resource that starts with a slash
   * is a path.
   */
  between(version: string, resource: string): ChangePath
}

interface Step {
  index: number
  change: VersionChange
  tests: readonly PathTest[]
}

/** Makes an empty list of changes. */
export function createChanges<V extends string>({ supported }: ApiVersions<V>): Changes<V> {
  const names = supported.map(({ name }) => name as string)
  const all: Step[] = []
  return {
    add: (version, change) => {
      const index = names.indexOf(version)
      checkChange(version, index, change)
      all.push({ index, change, tests: (change.paths ?? []).map(compilePattern) })
      // Stable: changes of one version stay in the order in which they were written.
      all.sort((a, b) => a.index - b.index)
    },
    of: (version) => all.filter(({ index }) => names[index] === version).map(({ change }) => change),
    between: (version, resource) => {
      const from = names.indexOf(version)
      if (from === -1) throw new TypeError(`versioning: ${inspectValue(version)} is not a supported version`)
      const steps = all.filter((step) => step.index > from && isFor(step, resource)).map(({ change }) => change)
      return {
        isEmpty: steps.length === 0,
        up: (body) => steps.reduce((value, change) => apply(value, change.up, change), body),
        down: (body) => steps.reduceRight((value, change) => apply(value, change.down, change), body),
      }
    },
  }
}

function checkChange(version: string, index: number, change: VersionChange): void {
  assertKnownOptions('versioning', change, ['description', 'resource', 'paths', 'items', 'up', 'down'])
  if (index === -1) throw new TypeError(`versioning: a change names ${inspectValue(version)}, which is not supported`)
  if (index === 0) throw new TypeError(`versioning: version "${version}" is the oldest one, no version comes before it`)
  if (typeof change.description !== 'string' || change.description === '')
    throw new TypeError(`versioning: a change of version "${version}" needs a description`)
  for (const [name, transform] of Object.entries({ up: change.up, down: change.down }))
    if (transform !== undefined && typeof transform !== 'function')
      throw new TypeError(
        `versioning: ${name} of a change of version "${version}" must be a function, got ${inspectValue(transform)}`,
      )
  if (change.resource?.startsWith('/'))
    throw new TypeError(
      `versioning: a resource is a name, got ${inspectValue(change.resource)}; paths belong to "paths"`,
    )
  if ((change.up || change.down) && change.resource === undefined && !change.paths?.length)
    throw new TypeError(`versioning: a change of version "${version}" needs a resource or paths for its up and down`)
}

function isFor({ change: { resource }, tests }: Step, wanted: string): boolean {
  return wanted.charAt(0) === '/' ? tests.some((test) => test(wanted)) : resource === wanted
}

function apply(body: unknown, transform: ((body: never) => unknown) | undefined, { items }: VersionChange): unknown {
  if (!transform || body === undefined || body === null) return body
  const transformItem = transform as (body: unknown) => unknown
  if (items === undefined) return transformItem(body)
  if (Array.isArray(body)) return body.map(transformItem)
  const page = body as Record<string, unknown>
  const list = Object.hasOwn(page, items) ? page[items] : undefined
  return Array.isArray(list) ? { ...page, [items]: list.map(transformItem) } : transformItem(body)
}
