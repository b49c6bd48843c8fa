import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, assertTypes, createArgumentError, inspectValue } from '../../internal/options.ts'
import { isCode } from './code.ts'
import type { ErrorContext } from './error-context.ts'
import { isHeaderValue, isSendable } from './error-headers.ts'
import type { ErrorHeaders } from './http-error.ts'
import { isLanguageTag } from './language.ts'
import type { LogEntry } from './log.ts'

/**
 * A response of the application. The length, HEAD, the headers of the error and caching are still
 * handled.
 */
export interface ErrorResponse {
  /** Content type, such as `application/soap+xml; charset=utf-8`. */
  contentType: string
  /** The complete body; a string is sent in UTF-8. */
  body: string | Uint8Array
  /** HTTP status, 400 to 599. @defaultValue the status of the error */
  status?: number
  /** Additional headers. */
  headers?: ErrorHeaders
}

/** Options for `errors()`. */
export interface ErrorsOptions<Req = IncomingMessage, Res = ServerResponse> {
  /**
   * Whether a record has only `timestamp`, `status`, `error`, `message` and `path`.
   * @defaultValue false
   */
  strictRecord?: boolean
  /**
   * Whether browsers get a page: `true` for a plain one, or a function that returns one, called for
   * a client that prefers HTML. If it throws or rejects, the plain page is sent.
   * @defaultValue false: browsers get JSON
   */
  html?: boolean | ((context: ErrorContext<Req, Res>) => MaybePromise<string>)
  /**
   * Start of the types of problem documents: `https://api.example/problems` leads to
   * `https://api.example/problems/out-of-credit`. A function is called for each request, for apps
   * with several addresses.
   * @defaultValue about:blank
   */
  problemBaseUrl?: string | ((req: Req) => string)
  /**
   * Your names for the codes of other packages: `{ ERR_RATELIMIT_EXCEEDED: 'TOO_MANY_REQUESTS' }`,
   * or a function that returns a name or `undefined`. Clients, problem types, `localize` and the
   * log get your name.
   */
  codes?: Readonly<Record<string, string>> | ((code: string) => string | undefined)
  /**
   * Headers of every error response, such as those of security and CORS: an object, or a function
   * that returns those of a request, in one object or in several of which later ones override
   * earlier ones. A frozen object is checked once. Headers that the response already has and those
   * of the error override them, and `Vary` is merged. On a response without headers all are sent
   * in one call, which costs less than half of `setHeader()` for each.
   * @defaultValue none
   */
  headers?: ErrorHeaders | ((req: Req) => ErrorHeaders | readonly ErrorHeaders[])
  /**
   * `WWW-Authenticate` of a 401 that has none (RFC 9110 §11.6.1), such as `Bearer`; `false` allows
   * a 401 without it.
   * @defaultValue none, with one warning `WRN_ERRORS_CHALLENGE_MISSING`
   */
  challenge?: string | false
  /**
   * Returns a custom response, such as a SOAP fault, or `undefined` for the usual one. Called for
   * every error, before `Accept` selects a format. A throw or a rejection is logged, and the usual
   * response is sent.
   */
  render?: (context: ErrorContext<Req, Res>) => MaybePromise<ErrorResponse | undefined>
  /**
   * Called first, with the value that was thrown. Returns the error to use instead
   * (`httpError(...)`), or `undefined` for no change. An error that it throws is used as well. It
   * must be synchronous: a promise is ignored.
   */
  mapError?: (error: unknown, req: Req) => unknown
  /**
   * Called once for each error, for the log, with `error`, `status`, `code`, `severity` (`error`,
   * `warn`, `info`), `method`, `path`, `correlationId`, `instance` and `req`. A throw or a
   * rejection does not change the response.
   * @defaultValue writes the stacks of errors of severity `error` to standard error
   */
  onError?: (entry: LogEntry<Req>) => MaybePromise<void>
  /**
   * Returns the id of a request in your logs. A UUID becomes the `instance` of problems; otherwise
   * each has a new one.
   * @defaultValue none
   */
  correlationId?: (req: Req) => string | undefined
  /**
   * Returns the message of a code, or the detail of an entry of `errors`, in a language. `params`
   * are those of the error or entry. `undefined` keeps the text, which is assumed to be in the
   * first of `languages`. Sets `Content-Language` and `Vary`.
   */
  localize?: (code: string, language: string, params: Readonly<Record<string, unknown>>) => string | undefined
  /**
   * Languages of `localize`, the default first, or a function that returns the one to use.
   * @defaultValue ['en']
   */
  languages?: readonly string[] | ((req: Req) => string)
  /**
   * Returns the current time in milliseconds since 1970, for `timestamp`. @defaultValue Date.now
   */
  now?: () => number
}

const OPTIONS = [
  'strictRecord',
  'html',
  'problemBaseUrl',
  'codes',
  'headers',
  'challenge',
  'render',
  'mapError',
  'onError',
  'correlationId',
  'localize',
  'languages',
  'now',
] as const satisfies readonly (keyof ErrorsOptions)[]

const TYPES = {
  strictRecord: 'boolean',
  render: 'function',
  mapError: 'function',
  onError: 'function',
  correlationId: 'function',
  localize: 'function',
  now: 'function',
} as const

/** Throws a `TypeError` that names the option and its value if an option is not valid. */
export function checkOptions(options: Pick<ErrorsOptions<never, never>, keyof ErrorsOptions>): void {
  assertKnownOptions('errors', options, OPTIONS)
  assertTypes('errors', options, TYPES)
  const { html, problemBaseUrl, codes, headers, challenge, languages } = options
  if (html !== undefined && typeof html !== 'boolean' && typeof html !== 'function')
    throw createArgumentError('errors', 'html', 'true, false or a function', html)
  if (problemBaseUrl !== undefined && typeof problemBaseUrl !== 'function' && !URL.canParse(problemBaseUrl))
    throw createArgumentError('errors', 'problemBaseUrl', 'an absolute URI or a function', problemBaseUrl)
  if (challenge !== undefined && challenge !== false && !isHeaderValue(challenge))
    throw createArgumentError('errors', 'challenge', 'a header value such as "Bearer" or false', challenge)
  if (codes !== undefined && typeof codes !== 'function') checkCodes(codes)
  if (headers !== undefined && typeof headers !== 'function') checkHeaders(headers)
  const isList = Array.isArray(languages) && languages.length > 0 && languages.every(isLanguageTag)
  if (languages !== undefined && typeof languages !== 'function' && !isList)
    throw createArgumentError('errors', 'languages', 'a list of language tags or a function', languages)
}

function checkCodes(codes: object | null): void {
  if (typeof codes !== 'object' || codes === null)
    throw createArgumentError('errors', 'codes', 'an object or a function', codes)
  for (const [from, to] of Object.entries(codes)) {
    if (!isCode(to))
      throw new TypeError(`errors: codes must be in UPPER_SNAKE case, got ${inspectValue(to)} for ${from}`)
  }
}

function checkHeaders(headers: object | null): void {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw createArgumentError('errors', 'headers', 'an object or a function', headers)
  for (const [name, value] of Object.entries(headers)) {
    if (!isSendable(name, value))
      throw new TypeError(
        `errors: headers must not contain ${inspectValue(name)} with the value ${inspectValue(value)}`,
      )
  }
}
