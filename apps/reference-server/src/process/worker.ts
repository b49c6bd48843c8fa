import { httpError, isHttpError, toRecord } from '@svc/errors'
import type { Logger } from 'pino'
import type { Connection, Database } from '../database/connection.ts'
import { isPassing } from '../database/violation.ts'
import { type ActionContext, orThrow } from '../engine/action.ts'
import { NO_REQUEST } from '../engine/hal.ts'
import { isWhole, runWhole } from '../engine/jobs/defer.ts'
import {
  type DeferredRequest,
  deleteExpired,
  fail,
  holdJob,
  keepLease,
  type Outcome,
  postpone,
  succeed,
  type TakenJob,
  takeJob,
  toActionContext,
} from '../engine/jobs/queue.ts'
import type { Action, FindRoute } from '../engine/route.ts'
import { pdf } from '../formats/invoice.ts'
import { csv } from '../formats/text.ts'
import { toStoredError } from '../messages/stored-error.ts'
import { type Poller, startPolling } from './poller.ts'

export interface WorkerParts {
  database: Database
  findRoute: FindRoute
  log: Logger
}

const POLL_MS = 200
const MAX_ATTEMPTS = 8
const MAX_AGE_MS = 24 * 3_600_000
const DELETE_EVERY_MS = 3_600_000

/** Starts the worker of this process, which runs deferred requests one after the other. */
export function startWorker({ database, findRoute, log }: WorkerParts): Poller {
  let lastDeleted = 0
  const turn = async (stopping: AbortSignal): Promise<void> => {
    if (Date.now() - lastDeleted > DELETE_EVERY_MS) {
      lastDeleted = Date.now()
      await deleteExpired(database, MAX_AGE_MS)
    }
    for (let job = await takeJob(database); job; job = stopping.aborted ? undefined : await takeJob(database))
      await work(job, { database, findRoute, log, stopping })
  }
  return startPolling(POLL_MS, turn, (err) => log.warn({ err }, 'jobs cannot be read'))
}

interface WorkContext extends WorkerParts {
  /** Aborts when the process stops. */
  stopping: AbortSignal
}

async function work(job: TakenJob, context: WorkContext): Promise<void> {
  const { database, stopping } = context
  try {
    if (job.attempt > MAX_ATTEMPTS) throw httpError(500)
    const perform = (db: Connection): Promise<Outcome> => performJob(job.request, context, db)
    // On SQLite all requests wait for a transaction, and an export may take long: it comes before.
    const exported = job.request.method === 'GET' && (await keepLease(database, job, () => perform(database)))
    await database.transaction(async (tx) => {
      if (!(await holdJob(tx, job))) return
      await succeed(tx, job, exported || (await perform(tx)))
    })
  } catch (error) {
    // Another process takes the job when its lease has expired.
    if (!stopping.aborted) await settle(job, error, context)
  }
}

// Client errors are stored as the result, temporary errors are retried, all others are logged.
async function settle(job: TakenJob, error: unknown, { database, log }: WorkContext) {
  const isClientError = isHttpError(error) && error.status < 500
  if (!isClientError && isPassing(error) && job.attempt < MAX_ATTEMPTS)
    return postpone(database, job, Math.min(200 * 2 ** job.attempt, 30_000))
  if (!isClientError) log.error({ err: error, operation: job.id, attempt: job.attempt }, 'job failed')
  const { prefix, path } = job.request
  await fail(database, job, { ...toRecord(error, { path: prefix + path }), ...toStoredError(error) })
}

/** Runs the action of a deferred request: a change in the transaction of its job. */
async function performJob(
  request: DeferredRequest,
  { findRoute, database, stopping }: WorkContext,
  db: Connection,
): Promise<Outcome> {
  const match = findRoute(request.path)
  const action = match?.route.methods.get(request.method)
  if (!match || !action) throw new Error(`there is no ${request.method} ${request.path}`)
  const call = toActionContext(request, match.params, database, db)
  if (request.method === 'GET') return { file: await createExport(request, action, call, stopping) }
  const { location } = orThrow(await action.run(call))
  if (location === undefined) throw new Error(`${request.method} ${request.path} created nothing that has a path`)
  return { path: location }
}

async function createExport({ type, path }: DeferredRequest, action: Action, call: ActionContext, signal: AbortSignal) {
  const format = [csv, pdf].find((each) => each.type === type)
  if (!format) throw new Error(`nothing can be exported as ${type}`)
  const { content } = isWhole(call.search) ? await runWhole(action, call, { signal }) : orThrow(await action.run(call))
  if (!content) throw new Error(`${path} has no content`)
  const { caller, version } = call
  const can = (scope: string): boolean => caller?.scopes.has(scope) ?? false
  const context = { ...NO_REQUEST, caller, can, mayFollow: () => true, version }
  const bytes = Buffer.from(await format.encode(content, context))
  const [, extension] = format.type.split('/')
  const name = `${path.slice(1).replaceAll('/', '-')}.${extension}`
  return { type: type + format.parameters, name, bytes }
}
