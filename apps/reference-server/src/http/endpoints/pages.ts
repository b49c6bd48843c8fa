import { documents } from '../../domain/documents.ts'
import type { Route } from '../../engine/route.ts'
import type { Parts } from '../dependencies.ts'
import { homeRoute } from './home.ts'
import { openApiRoutes } from './openapi.ts'
import { problemRoutes } from './problems.ts'
import { relationRoutes } from './relations.ts'

/** What is about the service as a whole: its root and its description. */
export function pageRoutes(
  { config, database, shapes, state, versions, formats }: Parts,
  routes: readonly Route[],
): Route[] {
  const collections = [...shapes.values()].map(({ collection }) => collection)
  const own = [homeRoute(collections, database, state), ...problemRoutes(), ...relationRoutes(collections, documents)]
  const options = { versions: versions.map(({ name }) => name), publicUrl: config.publicUrl, formats }
  return [...own, ...openApiRoutes([...routes, ...own], shapes, options)]
}
