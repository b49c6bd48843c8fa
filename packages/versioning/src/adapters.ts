import type { IncomingMessage } from '../../internal/middleware.ts'
import { assertMethod } from '../../internal/options.ts'
import type { Versioning } from './versioning.ts'

/** A constraint strategy for find-my-way, the router of Fastify. */
export interface ConstraintStrategy {
  /** The name of the constraint in routes. */
  name: string
  /** Whether a request with a version only matches routes with the constraint. */
  mustMatchWhenDerived: boolean
  /** Throws a `TypeError` if a constraint is not a version or range. */
  validate(key: unknown): void
  /** Returns the version of a request, for the router to match. */
  deriveConstraint(req: IncomingMessage): string | undefined
  /** Creates the storage for the handlers of a route by version. */
  storage(): { get(version: unknown): never | null; set(key: unknown, handler: unknown): void }
}

/**
 * Creates a constraint for Fastify:
 * `Fastify({ constraints: { apiVersion: fastifyConstraint(api) } })`. Routes then declare
 * `{ constraints: { apiVersion: '2+' } }`, with the keys of `api.route`.
 */
export function fastifyConstraint<V extends string>(api: Versioning<V>): ConstraintStrategy {
  assertApi('fastifyConstraint', api)
  return {
    name: 'apiVersion',
    // Routes without the constraint serve every version.
    mustMatchWhenDerived: false,
    validate: (key) => void api.versionsIn(String(key)),
    deriveConstraint: (req) => resolveFor(api, req),
    storage: () => {
      const handlers = new Map<string, unknown>()
      return {
        // find-my-way declares the type of its own handlers, which is not known here.
        get: (version) => (handlers.get(String(version)) ?? null) as never,
        set: (key, handler) => {
          for (const version of api.versionsIn(String(key))) handlers.set(version, handler)
        },
      }
    },
  }
}

/**
 * Creates an extractor for Nest, on Express and on Fastify: `app.use(api)`, then
 * `app.enableVersioning({ type: VersioningType.CUSTOM, extractor: nestExtractor(api) })`.
 */
export function nestExtractor<V extends string>(api: Versioning<V>): (request: unknown) => string {
  assertApi('nestExtractor', api)
  return (request) => {
    const raw = isRequest(request) ? request : undefined
    return raw ? (resolveFor(api, raw.raw ?? raw) ?? '') : ''
  }
}

function assertApi(owner: string, api: unknown): void {
  assertMethod(`versioning: ${owner}`, 'api', api, 'resolve', 'from versioning()')
}

function isRequest(request: unknown): request is IncomingMessage & { raw?: IncomingMessage } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

// The middleware responds to an unsupported version, so it has no handler.
function resolveFor<V extends string>(api: Versioning<V>, req: IncomingMessage): string | undefined {
  const resolved = api.versionOf(req)
  if (resolved) return resolved.version
  const decision = api.resolve(api.readCandidates(req))
  return 'status' in decision ? undefined : decision.version
}
