/** Remedies of a client for errors. Their texts are in the message catalogs. */
type Remedy =
  | 'authenticate'
  | 'changeRequest'
  | 'changeState'
  | 'chooseOther'
  | 'getScope'
  | 'newKey'
  | 'reload'
  | 'report'
  | 'retryLater'
  | 'shorten'
  | 'useHttps'

interface CodeInfo {
  /** The status that it is sent with, unless a rule of HTTP asks for another one. */
  status: number
  remedy: Remedy
}

/** Every code that the service sends in an Error record. Other codes do not compile. */
export const CODES = {
  ACCOUNT_NOT_OPEN: { status: 422, remedy: 'changeRequest' },
  AMOUNT_MISMATCH: { status: 422, remedy: 'changeRequest' },
  AUTHENTICATION_REQUIRED: { status: 401, remedy: 'authenticate' },
  BODY_INCOMPLETE: { status: 400, remedy: 'changeRequest' },
  BODY_TOO_LARGE: { status: 413, remedy: 'shorten' },
  BUSINESS_RULE: { status: 422, remedy: 'changeRequest' },
  CATEGORY_CYCLE: { status: 422, remedy: 'changeRequest' },
  CROSS_SITE: { status: 403, remedy: 'authenticate' },
  CURRENCY_MISMATCH: { status: 422, remedy: 'changeRequest' },
  DATE_ORDER: { status: 422, remedy: 'changeRequest' },
  DIGEST_MISMATCH: { status: 400, remedy: 'changeRequest' },
  DUPLICATE_VALUE: { status: 409, remedy: 'changeRequest' },
  EXPECTATION_FAILED: { status: 417, remedy: 'changeRequest' },
  FORBIDDEN: { status: 403, remedy: 'getScope' },
  HEADERS_TOO_LARGE: { status: 431, remedy: 'shorten' },
  HTTPS_REQUIRED: { status: 403, remedy: 'useHttps' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, remedy: 'retryLater' },
  IDEMPOTENCY_KEY_INVALID: { status: 400, remedy: 'newKey' },
  IDEMPOTENCY_KEY_MISSING: { status: 400, remedy: 'newKey' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, remedy: 'newKey' },
  IDEMPOTENCY_LEASE_LOST: { status: 409, remedy: 'retryLater' },
  IDEMPOTENCY_OUTCOME_UNKNOWN: { status: 409, remedy: 'newKey' },
  IDEMPOTENCY_RESPONSE_TOO_LARGE: { status: 409, remedy: 'reload' },
  ILLEGAL_TRANSITION: { status: 409, remedy: 'changeState' },
  INSUFFICIENT_FUNDS: { status: 422, remedy: 'changeRequest' },
  INSUFFICIENT_SCOPE: { status: 403, remedy: 'getScope' },
  INTERNAL_ERROR: { status: 500, remedy: 'report' },
  INVALID_CREDENTIALS: { status: 401, remedy: 'authenticate' },
  INVALID_PARAMETER: { status: 400, remedy: 'changeRequest' },
  INVALID_REQUEST: { status: 400, remedy: 'changeRequest' },
  INVALID_SCOPE: { status: 400, remedy: 'getScope' },
  INVALID_TOKEN: { status: 401, remedy: 'authenticate' },
  IN_USE: { status: 409, remedy: 'changeState' },
  MALFORMED_BODY: { status: 400, remedy: 'changeRequest' },
  MALFORMED_HOST: { status: 400, remedy: 'changeRequest' },
  MALFORMED_REQUEST: { status: 400, remedy: 'changeRequest' },
  MALFORMED_URI: { status: 400, remedy: 'changeRequest' },
  MANAGER_CYCLE: { status: 422, remedy: 'changeRequest' },
  METHOD_NOT_ALLOWED: { status: 405, remedy: 'chooseOther' },
  MISDIRECTED_REQUEST: { status: 421, remedy: 'chooseOther' },
  MISSING_BODY: { status: 400, remedy: 'changeRequest' },
  NOT_ACCEPTABLE: { status: 406, remedy: 'chooseOther' },
  NOT_FOUND: { status: 404, remedy: 'chooseOther' },
  NOT_IMPLEMENTED: { status: 501, remedy: 'chooseOther' },
  OUT_OF_STOCK: { status: 422, remedy: 'changeState' },
  PARTIAL_PUT: { status: 400, remedy: 'changeRequest' },
  PATCH_CONFLICT: { status: 409, remedy: 'reload' },
  PATCH_INVALID: { status: 422, remedy: 'changeRequest' },
  PRECONDITION_FAILED: { status: 412, remedy: 'reload' },
  PRECONDITION_MALFORMED: { status: 400, remedy: 'changeRequest' },
  PRECONDITION_REQUIRED: { status: 428, remedy: 'reload' },
  RATE_LIMITED: { status: 429, remedy: 'retryLater' },
  REFERENCE_MISMATCH: { status: 422, remedy: 'changeRequest' },
  REQUEST_TIMEOUT: { status: 408, remedy: 'retryLater' },
  ROUTE_NOT_FOUND: { status: 404, remedy: 'chooseOther' },
  SAME_ACCOUNT: { status: 422, remedy: 'changeRequest' },
  SERVICE_UNAVAILABLE: { status: 503, remedy: 'retryLater' },
  TYPE_REQUIRED: { status: 400, remedy: 'changeRequest' },
  UNKNOWN_PARAMETER: { status: 400, remedy: 'changeRequest' },
  UNKNOWN_REFERENCE: { status: 422, remedy: 'changeRequest' },
  UNSUPPORTED_ENCODING: { status: 415, remedy: 'chooseOther' },
  UNSUPPORTED_GRANT_TYPE: { status: 400, remedy: 'changeRequest' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, remedy: 'chooseOther' },
  URI_TOO_LONG: { status: 414, remedy: 'shorten' },
  VALIDATION_FAILED: { status: 400, remedy: 'changeRequest' },
  VERSION_BODY: { status: 400, remedy: 'changeRequest' },
  VERSION_BROWNOUT: { status: 410, remedy: 'retryLater' },
  VERSION_CONFLICT: { status: 400, remedy: 'changeRequest' },
  VERSION_MALFORMED: { status: 400, remedy: 'changeRequest' },
  VERSION_REQUIRED: { status: 400, remedy: 'changeRequest' },
  VERSION_RETIRED: { status: 410, remedy: 'chooseOther' },
  VERSION_UNSUPPORTED: { status: 400, remedy: 'chooseOther' },
} as const satisfies Readonly<Record<string, CodeInfo>>

export type Code = keyof typeof CODES

/** Codes of single values in `errors`, in addition to those above. */
export const VALUE_CODES = ['FORMAT', 'LENGTH', 'RANGE', 'READ_ONLY', 'REQUIRED', 'TYPE', 'UNKNOWN', 'VALUE'] as const

export type ValueCode = (typeof VALUE_CODES)[number]
