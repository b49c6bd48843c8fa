import { setTimeout as delay } from 'node:timers/promises'
import { httpError } from '@svc/errors'
import { type ActionContext, type ActionResult, orThrow } from '../engine/action.ts'
import { findExport, findOperation, isOpen, type Operation } from '../engine/jobs/operation.ts'
import type { FindRoute } from '../engine/route.ts'

const MAX_WAIT_SECONDS = 10
const POLL_MS = 50

/** Returns the time to wait for a response: the preferred time of the client, up to a maximum. */
export function waitSeconds({ wait = 0 }: ActionContext['prefer']): number {
  return Math.min(wait, MAX_WAIT_SECONDS)
}

/**
 * Waits for an operation that is queued, and returns what the request would have returned by itself
 * (RFC 7240 §4.3); `undefined` if it takes longer. Throws the error of an operation that failed.
 */
export async function awaitOperation(
  id: string,
  call: ActionContext,
  findRoute: FindRoute,
): Promise<ActionResult | undefined> {
  const seconds = waitSeconds(call.prefer)
  const end = performance.now() + seconds * 1000
  let operation = await findOperation(call.db, id)
  while (operation && isOpen(operation) && performance.now() < end) {
    await delay(POLL_MS)
    operation = await findOperation(call.db, id)
  }
  if (operation?.status === 'FAILED') throw toError(operation)
  if (operation?.status !== 'SUCCEEDED') return undefined
  const result = await readResult(operation, call, findRoute)
  return result && { ...result, headers: { ...result.headers, 'Preference-Applied': `wait=${seconds}` } }
}

async function readResult(
  { id, result = '' }: Operation,
  call: ActionContext,
  findRoute: FindRoute,
): Promise<ActionResult | undefined> {
  if (call.method !== 'POST') {
    const file = await findExport(call.db, id)
    return file && { status: 200, cache: 'private', file }
  }
  const match = findRoute(result)
  const action = match?.route.methods.get('GET')
  if (!match || !action) return undefined
  // The client of a POST gets the item that it created, with the scope of the POST.
  const shown = orThrow(await action.run({ ...call, method: 'GET', path: result, params: match.params, search: '' }))
  return { ...shown, status: 201, location: result, contentLocation: result }
}

function toError({ error }: Operation): Error {
  const { status, code, message, errors } = error as { status: number; code?: string; message: string; errors?: [] }
  return httpError(status, message, { expose: true, ...(code && { code }), ...(errors && { errors }) })
}
