import { BODY_HEADERS } from '../../internal/body-headers.ts'
import { isHttpClientError } from '../../internal/http-client-error.ts'
import { assertOptions, type OptionRules } from './assert-options.ts'
import { isErrorStatus, isOutgoingFault, SoapFault, type SoapFaultInit } from './fault.ts'
import { type QName, type SoapVersion, WSSE } from './xml/names.ts'

/** The JSON error record of the other packages, for the detail of a fault. */
export interface FaultRecord {
  /** Time of the error in UTC (xs:dateTime). */
  timestamp: string
  /** HTTP status of the same error in a REST API. */
  status: number
  /** Reason phrase of the status. */
  error: string
  /** Human-readable description, safe to send. */
  message: string
  /** Path of the request. */
  path: string
  /** Id of the request in your logs. */
  correlationId?: string
}

/** Options for `toFault()`. */
export interface ToFaultOptions {
  /** Path of the request. @defaultValue '/' */
  path?: string
  /** Id of the request in your logs. */
  correlationId?: string | undefined
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
  /** Returns the XML of the detail for a record. @defaultValue no detail */
  detail?: (record: FaultRecord) => string | undefined
}

interface Row {
  code: 'Sender' | 'Receiver'
  subcode: QName | string
  error: string
  /** The HTTP status is kept: proxies between client and service need it. */
  keepsStatus?: true
}

const ROWS: Readonly<Record<number, Row>> = {
  400: { code: 'Sender', subcode: 'InvalidRequest', error: 'Bad Request' },
  401: { code: 'Sender', subcode: { uri: WSSE, local: 'FailedAuthentication' }, error: 'Unauthorized' },
  403: { code: 'Sender', subcode: 'NotPermitted', error: 'Forbidden' },
  404: { code: 'Sender', subcode: 'NotFound', error: 'Not Found' },
  405: { code: 'Sender', subcode: 'MethodNotAllowed', error: 'Method Not Allowed', keepsStatus: true },
  408: { code: 'Sender', subcode: 'RequestTimeout', error: 'Request Timeout', keepsStatus: true },
  409: { code: 'Sender', subcode: 'Conflict', error: 'Conflict' },
  413: { code: 'Sender', subcode: 'LimitExceeded', error: 'Content Too Large', keepsStatus: true },
  415: { code: 'Sender', subcode: 'UnsupportedMediaType', error: 'Unsupported Media Type', keepsStatus: true },
  414: { code: 'Sender', subcode: 'LimitExceeded', error: 'URI Too Long', keepsStatus: true },
  417: { code: 'Sender', subcode: 'InvalidRequest', error: 'Expectation Failed', keepsStatus: true },
  421: { code: 'Sender', subcode: 'InvalidRequest', error: 'Misdirected Request', keepsStatus: true },
  422: { code: 'Sender', subcode: 'InvalidValue', error: 'Unprocessable Content' },
  429: { code: 'Receiver', subcode: 'RateLimited', error: 'Too Many Requests', keepsStatus: true },
  431: {
    code: 'Sender',
    subcode: 'LimitExceeded',
    error: 'Request Header Fields Too Large',
    keepsStatus: true,
  },
  500: { code: 'Receiver', subcode: 'InternalError', error: 'Internal Server Error' },
  503: { code: 'Receiver', subcode: 'Unavailable', error: 'Service Unavailable', keepsStatus: true },
}
const BAD_REQUEST = ROWS[400] as Row
const INTERNAL = ROWS[500] as Row

/**
 * Returns the fault for any error. A `SoapFault` is returned unchanged; an error in the format of
 * http-errors (`status`, `expose`, `message`, `headers`) is mapped by its status. Any other becomes
 * an `InternalError` without details, and so do errors of HTTP clients and of `soapClient()`.
 */
export function toFault(error: unknown, options: ToFaultOptions = {}): SoapFault {
  assertOptions('soap-envelope: toFault', options, OPTIONS)
  return createFault(error, options)
}

const OPTIONS: OptionRules<ToFaultOptions> = {
  path: 'string',
  correlationId: 'string',
  now: 'function',
  detail: 'function',
}

/** The same with options that need no check. */
export function createFault(error: unknown, options: ToFaultOptions = {}): SoapFault {
  const init = isOutgoingFault(error) ? toFaultInit(error) : initOfHttpError(error)
  const detail = init.detail ?? (isAboutHeaders(init) ? undefined : options.detail?.(toRecord(init, options)))
  return new SoapFault(detail === undefined ? init : { ...init, detail })
}

/**
 * Returns the HTTP status of a fault. SOAP 1.2: 400 for Sender, otherwise 500 (part 2, table 20).
 * SOAP 1.1: 500. Exceptions are statuses that proxies must see: 401 with a challenge, 405, 413,
 * 415, 429 and 503.
 */
export function httpStatusFor(fault: SoapFault, version: SoapVersion): number {
  if (fault.httpStatus !== undefined) return fault.httpStatus
  return version === '1.2' && fault.code === 'Sender' ? 400 : 500
}

/** Returns the options that a fault was created from. */
export function toFaultInit(fault: SoapFault): SoapFaultInit {
  const { code, reasons, subcodes, status, headers, notUnderstood, cause } = fault
  const { node, role, detail, httpStatus, declared } = fault
  return {
    code,
    reason: reasons,
    subcodes,
    status,
    headers,
    notUnderstood,
    cause,
    ...(node !== undefined && { node }),
    ...(role !== undefined && { role }),
    ...(detail !== undefined && { detail }),
    ...(declared !== undefined && { declared }),
    ...(httpStatus !== undefined && { httpStatus }),
  }
}

function initOfHttpError(error: unknown): SoapFaultInit {
  const isObject = typeof error === 'object' && error !== null
  const shape: HttpErrorLike = isObject && !isHttpClientError(error) ? error : {}
  const errorStatus = [shape.status, shape.statusCode].find(isErrorStatus)
  const status = errorStatus ?? 500
  const row = ROWS[status] ?? (status < 500 ? BAD_REQUEST : INTERNAL)
  const { expose, message } = shape
  const exposed = errorStatus !== undefined && expose === true && typeof message === 'string' && message !== ''
  const headers = toHeaders(shape.headers)
  const challenged = status === 401 && Object.keys(headers).some((name) => name.toLowerCase() === 'www-authenticate')
  return {
    code: row.code,
    subcodes: [row.subcode],
    reason: exposed ? message : 'The service could not process the message.',
    status,
    headers,
    cause: error,
    ...((row.keepsStatus || challenged) && { httpStatus: status }),
  }
}

interface HttpErrorLike {
  status?: unknown
  statusCode?: unknown
  expose?: unknown
  message?: unknown
  headers?: unknown
}

function toHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {}
  const sendable = Object.entries(headers).filter(([name]) => !BODY_HEADERS.includes(name.toLowerCase()))
  return Object.fromEntries(sendable.map(([name, value]) => [name, String(value)]))
}

/** SOAP 1.1, 4.4: no detail for an error in a header block. Credentials travel there. */
function isAboutHeaders({ code, subcodes = [] }: SoapFaultInit): boolean {
  const isOfHeader = subcodes.some(
    (name) => typeof name !== 'string' && (name.uri === WSSE || name.local === 'InvalidHeader'),
  )
  return isOfHeader || code === 'MustUnderstand' || code === 'VersionMismatch'
}

function toRecord(init: SoapFaultInit, { path = '/', correlationId, now = Date.now }: ToFaultOptions): FaultRecord {
  const status = init.status ?? 500
  const message = typeof init.reason === 'string' ? init.reason : (init.reason['en'] ?? '')
  const { error } = ROWS[status] ?? (status < 500 ? BAD_REQUEST : INTERNAL)
  const record = { timestamp: new Date(now()).toISOString(), status, error, message, path }
  return correlationId === undefined ? record : { ...record, correlationId }
}
