import type { Connection, Database } from '../database/connection.ts'
import type { ActionContext } from '../engine/action-context.ts'
import type { RenderContext } from '../engine/hal-of.ts'
import type { Outcome } from '../engine/jobs/queue.ts'
import { callOf, type KeptRequest } from '../engine/jobs/request.ts'
import type { Action, FindRoute } from '../engine/route.ts'
import { isWhole, runWhole } from '../engine/whole.ts'
import { csv } from '../formats/csv.ts'
import { pdf } from '../formats/invoice/pdf.ts'

/** What can be exported, and what it is called then. */
const exporters = {
  'text/csv': { format: csv, extension: 'csv' },
  'application/pdf': { format: pdf, extension: 'pdf' },
}

/** Does what a request asked for, in the transaction of its job. */
export async function performJob(
  request: KeptRequest,
  findRoute: FindRoute,
  database: Database,
  tx: Connection,
): Promise<Outcome> {
  const match = findRoute(request.path)
  const action = match?.route.methods.get(request.method)
  if (!match || !action) throw new Error(`there is no ${request.method} ${request.path} any more`)
  const call = callOf(request, match.params, database, tx)
  if (request.method === 'GET') return { file: await exported(request, action, call) }
  const { location } = await action.run(call)
  if (location === undefined) throw new Error(`${request.method} ${request.path} made nothing that has a path`)
  return { path: location }
}

async function exported({ type, path }: KeptRequest, action: Action, call: ActionContext) {
  const exporter = exporters[type as keyof typeof exporters]
  if (!exporter) throw new Error(`nothing can be exported as ${type}`)
  const { format, extension } = exporter
  const { content } = isWhole(call.search) ? await runWhole(action, call) : await action.run(call)
  if (!content) throw new Error(`${path} shows nothing`)
  const { caller, version } = call
  const can = (scope: string): boolean => caller?.scopes.has(scope) ?? false
  const context: RenderContext = {
    base: '',
    caller,
    can,
    mayFollow: () => true,
    version,
    fields: undefined,
    embedded: undefined,
  }
  const bytes = Buffer.from(await format.encode(content, context))
  const name = `${path.slice(1).replaceAll('/', '-')}.${extension}`
  return { type: type + format.parameters, name, bytes }
}
