import { type HttpError, toProblem, toRecord } from '@svc/errors'
import { isSafe } from '../../engine/route.ts'
import { badParameter, failure, invalid } from '../../messages/errors.ts'
import { type Components, type Operation, type Reference, schemaReference } from './components.ts'

interface ErrorResponse {
  name: string
  description: string
  examples: Readonly<Record<string, () => HttpError>>
  headers?: object
}

const RETRY_AFTER = {
  description: 'Seconds until a retry can succeed.',
  schema: { type: 'integer', minimum: 1 },
  example: 30,
}

/** Errors that depend on the operation. */
const ERRORS = {
  404: {
    name: 'NotFound',
    description: 'The resource does not exist.',
    examples: { NotFound: () => failure('NOT_FOUND') },
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the current state of the resource or with a request in progress.',
    examples: { Conflict: () => failure('ILLEGAL_TRANSITION') },
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource has changed since the client read it. Read it again and repeat the change.',
    examples: { PreconditionFailed: () => failure('PRECONDITION_FAILED') },
  },
  422: {
    name: 'UnprocessableContent',
    description: 'A value breaks a business rule. `errors` names each invalid value.',
    examples: {
      UnprocessableContent: () =>
        invalid(422, 'BUSINESS_RULE', [
          { pointer: '/salary', key: 'RANGE.between', params: { min: 0, max: 10_000_000 } },
        ]),
    },
  },
} as const satisfies Record<number, ErrorResponse>

/** Errors that every operation has. */
const CLIENT_ERROR: ErrorResponse = {
  name: 'ClientError',
  description:
    'Error of the client: 400 if a parameter, a header or the syntax of the body is invalid; 401 without valid ' +
    'credentials; 403 if the user lacks the scope or the resource belongs to another user; 406, 413 or 415 if the ' +
    'service does not support what the headers request; 429 if the rate limit is exceeded.',
  headers: {
    'WWW-Authenticate': {
      description: 'Authentication schemes that the service accepts, with 401.',
      schema: { type: 'string' },
    },
    'Retry-After': RETRY_AFTER,
  },
  examples: {
    BadRequest: () => badParameter('size', 'INVALID_PARAMETER.least', { min: 1 }),
    Unauthorized: () => failure('AUTHENTICATION_REQUIRED'),
    Forbidden: () => failure('FORBIDDEN'),
    NotAcceptable: () => failure('NOT_ACCEPTABLE'),
    ContentTooLarge: () => failure('BODY_TOO_LARGE'),
    UnsupportedMediaType: () => failure('UNSUPPORTED_MEDIA_TYPE'),
    TooManyRequests: () => failure('RATE_LIMITED'),
  },
}
const SERVER_ERROR: ErrorResponse = {
  name: 'ServerError',
  description: 'Error of the service: 500, or 503 with `Retry-After` while it is unavailable.',
  headers: { 'Retry-After': RETRY_AFTER },
  examples: {
    InternalServerError: () => failure('INTERNAL_ERROR'),
    ServiceUnavailable: () => failure('SERVICE_UNAVAILABLE'),
  },
}

/** Returns the error responses of an operation, as references. */
export function buildErrorResponses({ method, path, action, components }: Operation): Record<string, Reference> {
  const isProtectedChange = action.scope !== undefined && !isSafe(method)
  const statuses = [
    ...(path.includes('{') ? ([404] as const) : []),
    ...(isProtectedChange ? ([409, 412] as const) : []),
    ...(action.accepts.length > 0 ? ([422] as const) : []),
  ]
  return {
    ...Object.fromEntries(statuses.map((status) => [status, addError(ERRORS[status], components)])),
    '4XX': addError(CLIENT_ERROR, components),
    '5XX': addError(SERVER_ERROR, components),
  }
}

const OCCURRENCE = { path: '/employees', now: Date.UTC(2026, 10, 21, 7, 30) }
const TEXT = { schema: { type: 'string' } }

function addError({ name, description, headers, examples }: ErrorResponse, components: Components): Reference {
  const show = (write: (error: HttpError) => object): object =>
    Object.fromEntries(Object.entries(examples).map(([key, create]) => [key, { value: write(create()) }]))
  const content = {
    'application/json': {
      schema: schemaReference('Error'),
      examples: show((error) => toRecord(error, OCCURRENCE)),
    },
    'application/problem+json': {
      schema: schemaReference('Problem'),
      examples: show((error) => toProblem(error, OCCURRENCE)),
    },
    'application/xml': TEXT,
    'text/html': TEXT,
    'text/plain': TEXT,
  }
  return components.add('responses', name, { description, ...(headers && { headers }), content })
}
