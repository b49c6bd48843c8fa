import { reference } from './schemas.ts'

const REASONS = {
  400: 'The request is not valid.',
  401: 'Credentials are missing or wrong.',
  403: 'The caller may not do this.',
  404: 'There is no such thing.',
  406: 'None of the accepted representations exists.',
  409: 'The request does not fit the state that is there.',
  412: 'The resource has changed in the meantime.',
  413: 'The body is too large.',
  415: 'The body has a type that is not supported.',
  422: 'The values break a rule of the business.',
  429: 'Too many requests: Retry-After says when.',
  500: 'The service could not do it.',
  503: 'The service cannot do it now: Retry-After says when.',
  default: 'Any other refusal.',
} as const

const RETRY = { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } }
const HEADERS: Readonly<Partial<Record<keyof typeof REASONS, object>>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  429: RETRY,
  503: RETRY,
}

/** A status that operations refuse requests with. */
export type RefusalStatus = keyof typeof REASONS

/** Points to what is answered with a status. */
export function refusal(status: RefusalStatus): { $ref: string } {
  return { $ref: `#/components/responses/${status}` }
}

/** What is answered with each of them: the same record everywhere. */
export const REFUSALS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(REASONS).map(([status, description]) => {
    const content = { 'application/json': { schema: reference('Error') } }
    const headers = HEADERS[status as keyof typeof REASONS]
    return [status, { description, ...(headers && { headers }), content }]
  }),
)
