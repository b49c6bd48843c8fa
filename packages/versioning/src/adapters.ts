import type { IncomingMessage } from '../../internal/middleware.ts'
import type { Versioning } from './versioning.ts'

/** A strategy of constraints as find-my-way, the router of Fastify, takes it. */
export interface ConstraintStrategy {
  /** The name under which routes state the constraint. */
  name: string
  /** Whether a request with a version must find a constrained route. */
  mustMatchWhenDerived: boolean
  /** Throws a `TypeError` if a constraint is not a version range. */
  validate(key: unknown): void
  /** The version of a request, for the router to compare. */
  deriveConstraint(req: IncomingMessage): string | undefined
  /** Keeps the routes of one path by their ranges. */
  storage(): { get(version: unknown): never | null; set(key: unknown, handler: unknown): void }
}

/**
 * A constraint for Fastify: `Fastify({ constraints: { apiVersion: fastifyConstraint(api) } })`.
 * Routes then declare `{ constraints: { apiVersion: '2+' } }`, with the keys of `api.route`.
 */
export function fastifyConstraint<V extends string>(api: Versioning<V>): ConstraintStrategy {
  return {
    name: 'apiVersion',
    // Routes without the constraint serve every version.
    mustMatchWhenDerived: false,
    validate: (key) => void api.versionsIn(String(key)),
    deriveConstraint: (req) => resolveFor(api, req),
    storage: () => {
      const handlers = new Map<string, unknown>()
      return {
        // find-my-way asks for the type of its own handlers, whatever it is.
        get: (version) => (handlers.get(String(version)) ?? null) as never,
        set: (key, handler) => {
          for (const version of api.versionsIn(String(key))) handlers.set(version, handler)
        },
      }
    },
  }
}

/**
 * An extractor for Nest, on Express and on Fastify: `app.use(api)`, then
 * `app.enableVersioning({ type: VersioningType.CUSTOM, extractor: nestExtractor(api) })`.
 */
export function nestExtractor<V extends string>(api: Versioning<V>): (request: unknown) => string {
  return (request) => {
    const raw = isRequest(request) ? request : undefined
    return raw ? (resolveFor(api, raw.raw ?? raw) ?? '') : ''
  }
}

function isRequest(request: unknown): request is IncomingMessage & { raw?: IncomingMessage } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

// An unsupported version has no handler: the middleware responds to it.
function resolveFor<V extends string>(api: Versioning<V>, req: IncomingMessage): string | undefined {
  const chosen = api.versionOf(req)
  if (chosen) return chosen.version
  const decision = api.resolve(api.readCandidates(req))
  return 'status' in decision ? undefined : decision.version
}
