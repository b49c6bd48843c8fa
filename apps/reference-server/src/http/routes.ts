import { cartRoute } from '../domain/cart.ts'
import { documents } from '../domain/collections.ts'
import { assignmentRoute } from '../domain/projects.ts'
import { DEMO_USERS } from '../domain/seed/demo-users.ts'
import { collectionRoutes } from '../engine/collection-routes.ts'
import { documentRoute } from '../engine/document-routes.ts'
import { rejectParameters } from '../engine/query.ts'
import { type Route, route } from '../engine/route.ts'
import { failure } from '../messages/errors.ts'
import type { AppDependencies } from './dependencies.ts'
import { problemRoutes, relationRoutes } from './endpoints/catalogs.ts'
import { catalogRoute, homeRoute, issuerRoutes } from './endpoints/discovery.ts'
import { healthRoutes } from './endpoints/health.ts'
import { openApiRoutes } from './endpoints/openapi.ts'
import { operationRoutes } from './endpoints/operations.ts'
import { soapSecretRoute } from './endpoints/soap-secret.ts'
import { tokenRoute } from './endpoints/tokens.ts'

/** Every path of the service. */
export function routes(parts: AppDependencies): Route[] {
  const { config, database, services, shapes, state } = parts
  const { issuer, issueToken, key } = services
  // With the keys of another issuer, tokens of this service would be rejected.
  const isIssuer = config.jwks === undefined
  const service = [
    ...[...shapes.values()].flatMap((shape) => collectionRoutes(shape, shapes)),
    ...documents.map((document) => documentRoute(document, shapes)),
    catalogRoute(config),
    ...(isIssuer ? issuerRoutes(issuer, key, config) : []),
    ...healthRoutes(database, state),
    ...operationRoutes(),
    soapSecretRoute(shapes, services.soapSecrets),
    assignmentRoute(shapes),
    cartRoute(),
    meRoute(),
    ...(isIssuer ? [tokenRoute(issueToken, issuer)] : []),
  ]
  return [...service, ...pageRoutes(parts, service)]
}

/** /users/me: where the caller is among the users. */
function meRoute(): Route {
  return route('/users/me', {
    GET: {
      operationId: 'getMe',
      summary: 'Find the current user',
      description: 'Redirects to the current user.',
      tag: 'users',
      scope: 'users:read',
      kind: 'none',
      success: 302,
      run({ caller, search, prefer }) {
        rejectParameters(search, prefer.lenient)
        if (caller?.userId === undefined) throw failure('NOT_FOUND.me')
        return { status: 302, cache: 'never', location: `/users/${caller.userId}` }
      },
    },
  })
}

/** Returns the routes about the service as a whole: its root and its description. */
function pageRoutes(
  { config, database, shapes, state, versions, formats }: AppDependencies,
  routes: readonly Route[],
): Route[] {
  const collections = [...shapes.values()].map(({ collection }) => collection)
  const ownRoutes = [
    homeRoute(collections, database, state),
    ...problemRoutes(),
    ...relationRoutes(collections, documents),
  ]
  const options = {
    versions: versions.map(({ name }) => name),
    publicUrl: config.publicUrl,
    formats,
    users: config.demo ? DEMO_USERS : [],
  }
  return [...ownRoutes, ...openApiRoutes([...routes, ...ownRoutes], shapes, options)]
}
