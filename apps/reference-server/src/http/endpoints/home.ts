import type { Database } from '../../database/database.ts'
import type { Collection } from '../../engine/define.ts'
import { recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import { overviewPage } from '../../formats/pages/overview.ts'
import type { ServiceState } from '../service-state.ts'
import { readiness } from './health.ts'

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
  return recordRoute('/', 'service', 'private', async () => {
    const { isReady } = await readiness(database, state)
    const page = (view: Parameters<typeof overviewPage>[0]) => overviewPage(view, { isReady, collections: paths })
    return { value: { name: 'Svc reference server' }, links, page }
  })
}
