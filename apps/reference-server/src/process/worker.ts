import { httpError, isHttpError, toRecord } from '@svc/errors'
import type { Logger } from 'pino'
import type { Database } from '../database/connection.ts'
import { isPassing } from '../database/violation.ts'
import { fail, forget, holdJob, postpone, succeed, type TakenJob, takeJob } from '../engine/jobs/queue.ts'
import type { FindRoute } from '../engine/route.ts'
import { inTurns, type Turns } from './in-turns.ts'
import { performJob } from './perform-job.ts'

export interface WorkerParts {
  database: Database
  findRoute: FindRoute
  log: Logger
}

const POLL_MS = 200
const MAX_ATTEMPTS = 8
const KEPT_MS = 24 * 3_600_000
const FORGET_EVERY_MS = 3_600_000

/** Does the work that requests left behind, one job after the other. Every process of the service has one. */
export function startWorker({ database, findRoute, log }: WorkerParts): Turns {
  let lastForgotten = 0
  const turn = async (stopping: AbortSignal): Promise<void> => {
    if (Date.now() - lastForgotten > FORGET_EVERY_MS) {
      lastForgotten = Date.now()
      await forget(database, KEPT_MS)
    }
    for (let job = await takeJob(database); job; job = stopping.aborted ? undefined : await takeJob(database))
      await work(job, { database, findRoute, log })
  }
  return inTurns(POLL_MS, turn, (err) => log.warn({ err }, 'jobs cannot be looked for'))
}

async function work(job: TakenJob, { database, findRoute, log }: WorkerParts): Promise<void> {
  try {
    if (job.attempt > MAX_ATTEMPTS) throw httpError(500)
    await database.transaction(async (tx) => {
      if (!(await holdJob(tx, job))) return
      await succeed(tx, job, await performJob(job.request, findRoute, database, tx))
    })
  } catch (error) {
    await settle(job, error, { database, log })
  }
}

// What the client did wrong is told, what passes is tried again, and everything else is our mistake.
async function settle(job: TakenJob, error: unknown, { database, log }: Omit<WorkerParts, 'findRoute'>) {
  const isRefusal = isHttpError(error) && error.status < 500
  if (!isRefusal && isPassing(error) && job.attempt < MAX_ATTEMPTS)
    return postpone(database, job, Math.min(200 * 2 ** job.attempt, 30_000))
  if (!isRefusal) log.error({ err: error, operation: job.id, attempt: job.attempt }, 'job failed')
  await fail(database, job, toRecord(error, { path: job.request.path }))
}
