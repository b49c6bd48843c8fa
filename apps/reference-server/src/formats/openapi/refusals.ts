import { type HttpError, toProblem, toRecord } from '@svc/errors'
import { badParameter, type FailureKey, failure, invalid } from '../../messages/errors.ts'
import { reference } from './schemas.ts'

const RETRY = {
  'Retry-After': { description: 'Seconds until a retry can succeed.', schema: { type: 'integer', minimum: 1 } },
}
const CHALLENGE = { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } }

interface Refusal {
  name: string
  description: string
  example: () => HttpError
  headers?: object
}

const sample = (key: FailureKey) => () => failure(key)

/** Refusals by status. */
const REFUSALS = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed.',
    example: () => badParameter('size', 'INVALID_PARAMETER.least', { min: 1 }),
  },
  401: {
    name: 'Unauthorized',
    description: 'Credentials are missing or invalid.',
    headers: CHALLENGE,
    example: sample('AUTHENTICATION_REQUIRED'),
  },
  403: { name: 'Forbidden', description: 'The caller is not allowed to do this.', example: sample('FORBIDDEN') },
  404: { name: 'NotFound', description: 'The resource does not exist.', example: sample('NOT_FOUND') },
  406: {
    name: 'NotAcceptable',
    description: 'None of the accepted representations exists.',
    example: sample('NOT_ACCEPTABLE'),
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the state of the resource.',
    example: sample('ILLEGAL_TRANSITION'),
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource has changed since the client read it.',
    example: sample('PRECONDITION_FAILED'),
  },
  413: { name: 'ContentTooLarge', description: 'The body is too large.', example: sample('BODY_TOO_LARGE') },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The type or encoding of the body is not supported.',
    example: sample('UNSUPPORTED_MEDIA_TYPE'),
  },
  422: {
    name: 'UnprocessableContent',
    description: 'A value breaks a business rule.',
    example: () =>
      invalid(422, 'BUSINESS_RULE', [
        { pointer: '/salary', key: 'RANGE.between', params: { min: 0, max: 10_000_000 } },
      ]),
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is exceeded.',
    headers: RETRY,
    example: sample('RATE_LIMITED'),
  },
  500: { name: 'InternalServerError', description: 'The service failed.', example: sample('INTERNAL_ERROR') },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service is temporarily unavailable.',
    headers: RETRY,
    example: sample('SERVICE_UNAVAILABLE'),
  },
  default: { name: 'Failure', description: 'Any other failure.', example: sample('INTERNAL_ERROR') },
} as const satisfies Record<number | 'default', Refusal>

/** A status that operations refuse requests with. */
export type RefusalStatus = keyof typeof REFUSALS

/** Points to what is sent with a status. */
export function refusal(status: RefusalStatus): { $ref: string } {
  return { $ref: `#/components/responses/${REFUSALS[status].name}` }
}

/** What is sent with each of them: the same record everywhere, in every media type of errors. */
export function refusals(): Record<string, object> {
  return Object.fromEntries(
    Object.values<Refusal>(REFUSALS).map(({ name, description, headers, example }) => [
      name,
      { description, ...(headers && { headers }), content: contentOf(example()) },
    ]),
  )
}

const OCCURRENCE = { path: '/employees', now: Date.UTC(2026, 10, 21, 7, 30) }
const string = { schema: { type: 'string' } }

function contentOf(error: HttpError): object {
  const record = toRecord(error, OCCURRENCE)
  return {
    'application/json': { schema: reference('Error'), example: record },
    'application/problem+json': { schema: reference('Problem'), example: toProblem(error, OCCURRENCE) },
    'application/xml': string,
    'text/xml': string,
    'text/html': string,
    'text/plain': string,
  }
}
