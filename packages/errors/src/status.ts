/** What is said of a status where the error itself says nothing that may be shown. */
export interface StatusDefaults {
  /** Reason phrase of RFC 9110 15, which differs from node's table for 413, 414 and 422. */
  reason: string
  /** Code of an error that brings none. */
  code: string
  /** Message of an error that brings none, or none that may be shown. */
  message: string
}

const WORDS: Record<number, readonly [reason: string, message: string, code?: string]> = {
  400: ['Bad Request', 'The request is not valid.'],
  401: ['Unauthorized', 'Valid credentials are required.', 'AUTHENTICATION_REQUIRED'],
  402: ['Payment Required', 'A payment is required.'],
  403: ['Forbidden', 'This is not permitted.'],
  404: ['Not Found', 'The resource does not exist.'],
  405: ['Method Not Allowed', 'The resource does not support this method.'],
  406: ['Not Acceptable', 'No available representation is acceptable.'],
  407: ['Proxy Authentication Required', 'The proxy requires valid credentials.'],
  408: ['Request Timeout', 'The request was not complete in time.'],
  409: ['Conflict', 'The request conflicts with the current state of the resource.'],
  410: ['Gone', 'The resource no longer exists.'],
  411: ['Length Required', 'The length of the body is required.'],
  412: ['Precondition Failed', 'A precondition of the request does not hold.'],
  413: ['Content Too Large', 'The body of the request is too large.', 'BODY_TOO_LARGE'],
  414: ['URI Too Long', 'The address of the request is too long.'],
  415: ['Unsupported Media Type', 'The format of the body is not supported.'],
  416: ['Range Not Satisfiable', 'The range cannot be served.'],
  417: ['Expectation Failed', 'The expectation of the request cannot be met.'],
  421: ['Misdirected Request', 'The request was sent to a server that does not answer for this host.'],
  422: ['Unprocessable Content', 'The request is well formed, but its values cannot be accepted.', 'BUSINESS_RULE'],
  423: ['Locked', 'The resource is locked.'],
  424: ['Failed Dependency', 'Another action on which this one depends has failed.'],
  425: ['Too Early', 'The request came too early to be processed safely.'],
  426: ['Upgrade Required', 'Another protocol is required.'],
  428: ['Precondition Required', 'The request must be conditional.'],
  429: ['Too Many Requests', 'Too many requests were made in too short a time.', 'RATE_LIMITED'],
  431: ['Request Header Fields Too Large', 'The header fields of the request are too large.', 'HEADERS_TOO_LARGE'],
  451: ['Unavailable For Legal Reasons', 'The resource is not available for legal reasons.'],
  500: ['Internal Server Error', 'The server could not process the request.', 'INTERNAL_ERROR'],
  501: ['Not Implemented', 'The server does not support this.'],
  502: ['Bad Gateway', 'A server on which this one depends gave no valid answer.'],
  503: ['Service Unavailable', 'The service is temporarily unavailable.'],
  504: ['Gateway Timeout', 'A server on which this one depends gave no answer in time.'],
  505: ['HTTP Version Not Supported', 'The version of HTTP is not supported.'],
  506: ['Variant Also Negotiates', 'The server could not choose a representation.'],
  507: ['Insufficient Storage', 'The server cannot store what the request needs.'],
  508: ['Loop Detected', 'The server found an endless loop.'],
  511: ['Network Authentication Required', 'The network requires valid credentials.'],
}

const CLIENT_ERROR: StatusDefaults = {
  reason: 'Client Error',
  code: 'CLIENT_ERROR',
  message: 'The request is not valid.',
}
const SERVER_ERROR: StatusDefaults = {
  reason: 'Server Error',
  code: 'SERVER_ERROR',
  message: 'The server could not process the request.',
}

const TABLE = new Map<number, StatusDefaults>(
  Object.entries(WORDS).map(([status, [reason, message, code]]) => [
    Number(status),
    { reason, message, code: code ?? reason.toUpperCase().replace(/[ -]/g, '_') },
  ]),
)

/** The words of a status. One that is registered nowhere is read as the first of its class (RFC 9110 15). */
export function getStatusDefaults(status: number): StatusDefaults {
  return TABLE.get(status) ?? (status < 500 ? CLIENT_ERROR : SERVER_ERROR)
}

/** Whether a value can be the status of an error. */
export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599
}
