import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { isHttpError } from '@svc/errors'
import { rateLimit } from '@svc/ratelimit'
import { expect, test } from 'vitest'
import { RequestState } from '../engine/request-state.ts'
import { createUserCaller } from '../security/caller.ts'
import { limitBySubject } from './rate-limits.ts'

let now = 1_800_000_000_000
const limiter = rateLimit({ rate: '1/1m', by: () => undefined, headers: ['x-ratelimit', 'draft-11'], now: () => now })
const limit = limitBySubject(limiter)

/** The error of a request of this user, after one that was counted. */
async function exceed(subject: string): Promise<Record<string, unknown>> {
  const req = new IncomingMessage(new Socket())
  const state = new RequestState(req, new ServerResponse(req), {})
  state.caller = createUserCaller({ id: 1, subject, username: subject, roles: ['admin'], customerId: undefined })
  const reply = await limit(state)
  const error = reply && 'error' in reply ? reply.error : undefined
  return isHttpError(error) ? { error, message: error.message, ...error.headers } : {}
}

test('a client that does not slow down gets one error, which is that of no other moment or client', async () => {
  expect(await exceed('ada')).toEqual({})
  now += 10_000
  expect(await exceed('bob')).toEqual({})
  const first = await exceed('ada')
  expect(first).toMatchObject({ 'Retry-After': '50', message: expect.stringContaining('50 seconds') })
  expect((await exceed('ada'))['error']).toBe(first['error'])
  expect(await exceed('bob')).toMatchObject({ 'Retry-After': '60', message: expect.stringContaining('1 minute') })
  now += 20_000
  const later = await exceed('ada')
  expect(later).toMatchObject({ 'Retry-After': '30', message: expect.stringContaining('30 seconds') })
  expect(later['error']).not.toBe(first['error'])
})
