import type { Parts } from '../parts.ts'
import type { Route } from '../resource/route.ts'
import type { Collection } from '../resources/define.ts'
import { documents } from '../resources/documents.ts'
import { homeRoute } from './home.ts'
import { openApiRoutes } from './openapi.ts'
import { problemRoutes } from './problems.ts'
import { relationRoutes } from './relations.ts'

/** What is about the service as a whole: its root and its description. */
export function pageRoutes(
  { config, database, state }: Parts,
  routes: readonly Route[],
  collections: readonly Collection[],
): Route[] {
  return [
    homeRoute(collections, database, state),
    ...problemRoutes(),
    ...relationRoutes(collections, documents),
    ...openApiRoutes(routes, collections, config.publicUrl),
  ]
}
