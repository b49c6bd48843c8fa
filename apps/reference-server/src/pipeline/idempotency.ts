import type { IncomingMessage } from 'node:http'
import { classify, type ErrorEntry, type HttpError, httpError } from '@svc/errors'
import { type ReplayedResponse, readKey, type StoredResponse } from '@svc/idempotency'
import { type Representation, versionTag } from '@svc/negotiate'
import type { Exchange } from '../exchange.ts'

/** The key of a request, where its action looks at keys: 400 where it is missing or malformed. */
export function keyOf(req: IncomingMessage, { match }: Exchange): string | undefined {
  const wanted = match?.action.idempotency ?? 'none'
  if (wanted === 'none') return undefined
  const field = req.headers['idempotency-key']
  if (field === undefined) {
    if (wanted === 'optional') return undefined
    const message = 'This request needs the field Idempotency-Key, so that a retry does not happen twice.'
    throw httpError(400, message, { code: 'IDEMPOTENCY_KEY_MISSING' })
  }
  const key = typeof field === 'string' ? readKey(field) : undefined
  if (key !== undefined) return key
  const message = 'The field Idempotency-Key must be one string of 1 to 255 characters.'
  throw httpError(400, message, { code: 'IDEMPOTENCY_KEY_INVALID' })
}

// What belongs to the answer itself; limits, security and correlation are those of each request anew.
const KEPT = ['Location', 'Content-Location', 'Link', 'Preference-Applied', 'Retry-After']
const CORRELATION = 'X-Correlation-ID'

/** Makes the content of an answer now, so that it can be kept with the effect. */
export async function materialised(representation: Representation): Promise<Representation> {
  const { body } = representation
  return typeof body === 'function' ? { ...representation, body: await body() } : representation
}

/** An answer as it is kept for retries. */
export function storedOf(representation: Representation): StoredResponse {
  const { status = 200, type, headers = {}, version, variant, cacheControl, body } = representation
  const fields: [string, string][] = []
  for (const name of [...KEPT, CORRELATION]) if (headers[name] !== undefined) fields.push([name, String(headers[name])])
  if (type !== undefined) fields.push(['Content-Type', type])
  if (cacheControl !== undefined) fields.push(['Cache-Control', cacheControl])
  if (version !== undefined) fields.push(['ETag', versionTag(version, { type, variant })])
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : new Uint8Array()
  return { status, fields, body: bytes }
}

/** What is kept of a failure: all that its answer is made of, whatever representation a retry asks for. */
interface KeptFailure {
  code: string
  message: string
  expose: boolean
  errors?: readonly ErrorEntry[] | undefined
}

/** A failure as it is kept for retries. */
export function keptFailure(error: unknown, { fields: own }: Exchange): StoredResponse {
  const { status, code, message, expose, errors, headers } = classify(error)
  const failure: KeptFailure = { code, message, expose, errors }
  const all = { ...own, ...headers }
  const fields = [...KEPT, CORRELATION].flatMap((name) => {
    const value = all[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { status, fields, body: Buffer.from(JSON.stringify(failure)) }
}

/** The first answer again. A failure is thrown again, so that it goes the way of every failure. */
export function replayOf(response: ReplayedResponse, { fields: own }: Exchange): Representation {
  const { status, fields, body } = response
  const kept = new Map(fields.map(([name, value]) => [name, String(value)]))
  const replayed: Record<string, string> = { 'Idempotent-Replayed': 'true' }
  for (const name of KEPT) {
    const value = kept.get(name)
    if (value !== undefined) replayed[name] = value
  }
  const correlationId = kept.get(CORRELATION)
  if (correlationId !== undefined) replayed['Idempotent-Original-Correlation-ID'] = correlationId
  if (status >= 400) throw failureOf(response, replayed)
  const headers = { ...own, ...replayed }
  const type = kept.get('Content-Type')
  return {
    ...{ status, headers, type, cacheControl: kept.get('Cache-Control'), etag: kept.get('ETag') ?? false },
    ...(type !== undefined && { body, vary: ['Accept'] }),
  }
}

function failureOf({ status, body }: ReplayedResponse, headers: Record<string, string>): HttpError {
  const { code, message, expose, errors } = JSON.parse(Buffer.from(body).toString()) as KeptFailure
  return httpError(status, expose ? message : undefined, { code, expose, headers, ...(errors && { errors }) })
}
