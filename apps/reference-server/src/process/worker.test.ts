import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { migrations } from '../domain/migrations.ts'
import type { ActionContext, ActionResult } from '../engine/action.ts'
import { enqueue } from '../engine/jobs/queue.ts'
import { route, routeTable } from '../engine/route.ts'
import { createUserCaller } from '../security/caller.ts'
import { startWorker } from './worker.ts'

test('an export stops with the process, and stays for another one', async () => {
  const database = await openDatabase({ databaseUrl: undefined, dataDir: undefined }, migrations)
  const run = vi.fn(({ path }: ActionContext): ActionResult => {
    const content = { kind: 'page', shape: {}, items: [], path, number: 0, size: 100, cursors: { self: '', next: 'x' } }
    return { status: 200, content } as unknown as ActionResult
  })
  const info = { operationId: 'list', summary: '', description: '', tag: '', scope: undefined, kind: 'page' } as const
  const findRoute = routeTable([route('/endless', { GET: { ...info, run } })])
  const caller = createUserCaller({
    id: 1,
    subject: 'user:a',
    username: 'ada',
    roles: ['admin'],
    customerId: undefined,
  })
  const request = {
    method: 'GET',
    path: '/endless',
    search: 'size=all',
    bodyType: '',
    body: '',
    version: '1',
    prefix: '',
  }
  const deferred = { ...request, type: 'text/csv', lenient: false, caller: { ...caller, scopes: [] } }
  await enqueue(database, deferred, new Date().toISOString())
  const worker = startWorker({ database, findRoute, log: pino({ level: 'silent' }) })
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(10)
  await worker.stop()
  expect(await database.all('select "status", "attempts" from "operations"')).toEqual([
    { status: 'RUNNING', attempts: 1 },
  ])
  await database.close()
})
