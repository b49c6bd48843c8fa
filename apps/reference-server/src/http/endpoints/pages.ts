import { documents } from '../../domain/documents.ts'
import type { Collection } from '../../engine/define.ts'
import type { Route } from '../../engine/route.ts'
import type { Parts } from '../dependencies.ts'
import { homeRoute } from './home.ts'
import { openApiRoutes } from './openapi.ts'
import { problemRoutes } from './problems.ts'
import { relationRoutes } from './relations.ts'

/** What is about the service as a whole: its root and its description. */
export function pageRoutes(
  { config, database, shapes, state, versions }: Parts,
  routes: readonly Route[],
  collections: readonly Collection[],
): Route[] {
  const own = [homeRoute(collections, database, state), ...problemRoutes(), ...relationRoutes(collections, documents)]
  const options = { versions: versions.map(({ name }) => name), publicUrl: config.publicUrl }
  return [...own, ...openApiRoutes([...routes, ...own], shapes, options)]
}
