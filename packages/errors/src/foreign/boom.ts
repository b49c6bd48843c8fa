import type { RecognizedError } from '../classification.ts'
import { isSystemError, readHeaders } from './status-carriers.ts'

/** Recognizes errors of Boom. Their response is in `output`; `data` is not for clients. */
export function fromBoom(error: object): RecognizedError | undefined {
  const { isBoom, output } = error as { isBoom?: unknown; output?: BoomOutput }
  if (isBoom !== true || typeof output?.statusCode !== 'number') return undefined
  const { statusCode: status, headers, payload } = output
  const recognized: RecognizedError = { status, headers: readHeaders(headers) }
  if (status < 500 && !isSystemError(error) && typeof payload?.message === 'string')
    recognized.message = payload.message
  return recognized
}

interface BoomOutput {
  statusCode?: unknown
  headers?: unknown
  payload?: { message?: unknown }
}
