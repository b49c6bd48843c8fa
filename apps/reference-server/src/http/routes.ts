import { assignmentRoute } from '../domain/assignments.ts'
import { cartRoute } from '../domain/cart-route.ts'
import { documents } from '../domain/documents.ts'
import { collectionRoutes } from '../engine/collection-routes.ts'
import { documentRoute } from '../engine/document-routes.ts'
import type { Route } from '../engine/route.ts'
import type { Parts } from './dependencies.ts'
import { discoveryRoutes } from './endpoints/discovery.ts'
import { healthRoutes } from './endpoints/health.ts'
import { meRoute } from './endpoints/me.ts'
import { operationRoutes } from './endpoints/operations.ts'
import { pageRoutes } from './endpoints/pages.ts'
import { soapSecretRoute } from './endpoints/soap-secret.ts'
import { tokenRoute } from './endpoints/tokens.ts'

/** Every path of the service. */
export function routes(parts: Parts): Route[] {
  const { config, database, services, shapes, state } = parts
  const service = [
    ...[...shapes.values()].flatMap((shape) => collectionRoutes(shape, shapes)),
    ...documents.map((document) => documentRoute(document, shapes)),
    ...discoveryRoutes(services.issuer, services.key, config),
    ...healthRoutes(database, state),
    ...operationRoutes(),
    soapSecretRoute(shapes, services.soapSecrets),
    ...[assignmentRoute(shapes), cartRoute(), meRoute()],
    tokenRoute(services.issueToken, services.issuer),
  ]
  return [...service, ...pageRoutes(parts, service)]
}
