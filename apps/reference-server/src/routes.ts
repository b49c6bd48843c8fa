import { discoveryRoutes } from './endpoints/discovery.ts'
import { healthRoutes } from './endpoints/health.ts'
import { tokenRoute } from './endpoints/tokens.ts'
import type { Parts } from './parts.ts'
import { collectionRoutes } from './resource/collection-routes.ts'
import type { Route } from './resource/route.ts'
import { shapeOf } from './resource/shape.ts'
import { collections } from './resources/collections.ts'

/** Every path of the service. */
export function routes({ database, services, state }: Parts): Route[] {
  const shapes = new Map(collections.map((collection) => [collection.name, shapeOf(collection, database.dialect)]))
  return [
    ...[...shapes.values()].flatMap((shape) => collectionRoutes(shape, shapes)),
    ...discoveryRoutes(services.issuer, services.key, collections),
    ...healthRoutes(database, state),
    tokenRoute(services.issueToken),
  ]
}
