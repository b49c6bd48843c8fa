import type { Database } from '../../database/connection.ts'
import type { Collection } from '../../engine/define.ts'
import { text } from '../../engine/fields.ts'
import { described } from '../../engine/modifiers.ts'
import { type Route, recordRoute } from '../../engine/route.ts'
import { objectSchema } from '../../engine/schema.ts'
import { overviewPage } from '../../formats/pages/overview.ts'
import type { ServiceState } from '../dependencies.ts'
import { readiness } from './health.ts'

const NAME = 'Svc reference server'
const QUERY = '{?page,size,cursor,sort,fields,embed}'

/** The root: a home document for machines, an overview for people. */
export function homeRoute(collections: readonly Collection[], database: Database, state: ServiceState): Route {
  const roots = collections.filter(({ path }) => !path.includes('{'))
  const paths = Object.fromEntries(roots.map(({ name, path }) => [name, path]))
  const links = {
    self: '/',
    ...Object.fromEntries(roots.map(({ name, path }) => [name, path + QUERY])),
    ...Object.fromEntries(roots.map(({ item, path }) => [item, `${path}/{id}{?fields,embed}`])),
    ...{ health: '/health', 'service-desc': '/openapi.json', 'service-doc': '/docs' },
  }
  const info = {
    record: 'service',
    cache: 'private',
    operationId: 'getHome',
    summary: 'Get the home document',
    description: 'Returns links to all collections, with templates for their queries.',
    tag: 'discovery',
    gives: {
      name: 'Home',
      schema: objectSchema({ name: described(text({ max: 100 }), 'Name of the service.') }),
      example: { name: NAME },
      links,
    },
  } as const
  return recordRoute('/', info, async () => {
    const { isReady } = await readiness(database, state)
    const page = (view: Parameters<typeof overviewPage>[0]) => overviewPage(view, { isReady, collections: paths })
    return { value: { name: NAME }, links, page }
  })
}
