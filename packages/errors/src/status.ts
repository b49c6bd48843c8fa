import { getReason } from '../../internal/reason.ts'

/** Defaults for an error without a code, or without a message that may be sent. */
export interface StatusDefaults {
  /** Reason phrase of RFC 9110 §15. */
  reason: string
  /** Code of an error that sets none. */
  code: string
  /** Message of an error without one, or with one that must not be sent. */
  message: string
}

const MESSAGES: Record<number, readonly [message: string, code?: string]> = {
  400: ['The request is not valid.'],
  401: ['Valid credentials are required.', 'AUTHENTICATION_REQUIRED'],
  402: ['A payment is required.'],
  403: ['This is not permitted.'],
  404: ['The resource does not exist.'],
  405: ['The resource does not support this method.'],
  406: ['No available representation is acceptable.'],
  407: ['The proxy requires valid credentials.'],
  408: ['The request was not complete in time.'],
  409: ['The request conflicts with the current state of the resource.'],
  410: ['The resource no longer exists.'],
  411: ['The length of the body is required.'],
  412: ['A precondition of the request failed.'],
  413: ['The body of the request is too large.', 'BODY_TOO_LARGE'],
  414: ['The address of the request is too long.'],
  415: ['The format of the body is not supported.'],
  416: ['The range cannot be served.'],
  417: ['The expectation of the request cannot be met.'],
  421: ['The request was sent to a server that is not responsible for this host.'],
  422: ['The request is well formed, but its values cannot be accepted.', 'BUSINESS_RULE'],
  423: ['The resource is locked.'],
  424: ['Another action on which this one depends has failed.'],
  425: ['The request arrived too early to be processed safely.'],
  426: ['Another protocol is required.'],
  428: ['The request must be conditional.'],
  429: ['Too many requests were made in too short a time.', 'RATE_LIMITED'],
  431: ['The headers of the request are too large.', 'HEADERS_TOO_LARGE'],
  451: ['The resource is not available for legal reasons.'],
  500: ['The server could not process the request.', 'INTERNAL_ERROR'],
  501: ['The server does not support this.'],
  502: ['An upstream server sent an invalid response.'],
  503: ['The service is temporarily unavailable.'],
  504: ['An upstream server did not respond in time.'],
  505: ['The version of HTTP is not supported.'],
  506: ['The server could not choose a representation.'],
  507: ['The server cannot store what the request needs.'],
  508: ['The server detected an infinite loop.'],
  511: ['The network requires valid credentials.'],
}

const CLIENT_ERROR: StatusDefaults = {
  reason: getReason(499),
  code: 'CLIENT_ERROR',
  message: 'The request is not valid.',
}
const SERVER_ERROR: StatusDefaults = {
  reason: getReason(599),
  code: 'SERVER_ERROR',
  message: 'The server could not process the request.',
}

const TABLE = new Map<number, StatusDefaults>(
  Object.entries(MESSAGES).map(([key, [message, code]]) => {
    const status = Number(key)
    const reason = getReason(status)
    return [status, { reason, message, code: code ?? reason.toUpperCase().replace(/[ -]/g, '_') }]
  }),
)

/** Returns the defaults of a status; those of its class if it is not registered (RFC 9110 §15). */
export function getStatusDefaults(status: number): StatusDefaults {
  return TABLE.get(status) ?? (status < 500 ? CLIENT_ERROR : SERVER_ERROR)
}

/** Whether a value can be the status of an error. */
export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599
}
