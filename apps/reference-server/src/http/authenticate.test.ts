import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestState } from '../engine/request-state.ts'
import { authenticate } from './authenticate.ts'
import { failureLimit } from './rate-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a caller who cannot be looked up in time gets 503', async () => {
  const stage = authenticate({
    database: { changes: () => undefined, dialect: 'postgres' },
    authenticator: { known: () => undefined, check: () => new Promise(() => {}) },
    locate: () => '',
    failures: failureLimit(undefined),
  })
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { method: 'POST', url: '/employees' })
  req.headers.authorization = 'Basic YWRhOmFkYS1kZW1v'
  const reply = stage(new RequestState(req, new ServerResponse(req), {}))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await reply).toMatchObject({ error: { status: 503 } })
})
