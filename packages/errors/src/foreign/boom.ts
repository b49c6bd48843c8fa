import type { Finding } from '../classify.ts'
import { headersOf, isDressedUp } from './status-carriers.ts'

/** Boom: what it would send is in `output`; its `data` is not for clients. */
export function fromBoom(error: object): Finding | undefined {
  const { isBoom, output } = error as { isBoom?: unknown; output?: BoomOutput }
  if (isBoom !== true || typeof output?.statusCode !== 'number') return undefined
  const { statusCode: status, headers, payload } = output
  const finding: Finding = { status, headers: headersOf(headers) }
  if (status < 500 && !isDressedUp(error) && typeof payload?.message === 'string') finding.message = payload.message
  return finding
}

interface BoomOutput {
  statusCode?: unknown
  headers?: unknown
  payload?: { message?: unknown }
}
