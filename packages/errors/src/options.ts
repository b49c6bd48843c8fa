import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { isHeaderValue } from './clean.ts'
import { isCode } from './code.ts'
import type { ErrorContext } from './error-context.ts'
import type { ErrorHeaders } from './http-error.ts'
import { isLanguageTag } from './language.ts'
import type { LogEntry } from './log.ts'

/**
 * A response that the application writes itself. HEAD, length, headers of the error and caching are
 * still handled.
 */
export interface ErrorResponse {
  /** `application/soap+xml; charset=utf-8`. */
  contentType: string
  /** The whole body; a string is sent in UTF-8. */
  body: string | Uint8Array
  /** @defaultValue the status of the error */
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
   * Whether browsers get a page: `true` for a plain one, or a function that returns one. It is
   * called for a client that prefers HTML. If it throws or rejects, the plain page is sent.
   * @defaultValue false: they get JSON
   */
  html?: boolean | ((context: ErrorContext<Req, Res>) => MaybePromise<string>)
  /**
   * Start of the types of problem documents: `https://api.example/problems` makes the type
   * `https://api.example/problems/out-of-credit`. A function is called for each request, for
   * services with several addresses. @defaultValue `about:blank`
   */
  problemBaseUrl?: string | ((req: Req) => string)
  /**
   * Your names for the codes of other packages: `{ ERR_RATELIMIT_EXCEEDED: 'TOO_MANY_REQUESTS' }`,
   * or a function that returns one or `undefined`. Clients, problem types, `localize` and the log
   * get your name.
   */
  codes?: Readonly<Record<string, string>> | ((code: string) => string | undefined)
  /**
   * `WWW-Authenticate` for a 401 that has none (RFC 9110 §11.6.1), such as `Bearer`. `false`
   * accepts a 401 without it.
   * @defaultValue none, with one warning `WRN_ERRORS_CHALLENGE_MISSING`
   */
  challenge?: string | false
  /**
   * Writes the response itself, such as a SOAP fault. Called for every error, before the format is
   * chosen by `Accept`; `undefined` leaves the error to the other options. So does a throw or a
   * rejection, which is logged.
   */
  render?: (context: ErrorContext<Req, Res>) => MaybePromise<ErrorResponse | undefined>
  /**
   * Called first, with the value that was thrown. Returns the error to use instead
   * (`httpError(...)`), or `undefined` to keep it. An error that it throws is used as well. It must
   * be synchronous: a promise is ignored.
   */
  mapError?: (error: unknown, req: Req) => unknown
  /**
   * Called once for each error, for the log, with `error`, `status`, `code`, `severity` (`error`,
   * `warn`, `info`), `method`, `path`, `correlationId`, `instance`, `req`. A throw or a rejection
   * does not change the response.
   * @defaultValue writes errors of severity `error` to standard error
   */
  onError?: (entry: LogEntry<Req>) => MaybePromise<void>
  /**
   * The id of a request in your logs; a UUID becomes the `instance` of problems.
   * @defaultValue none
   */
  correlationId?: (req: Req) => string | undefined
  /**
   * Translates the message of a code, and the detail of an entry of `errors`, with the `params` of
   * the error or of the entry; sets `Content-Language` and `Vary`. `undefined` keeps the text,
   * which is assumed to be in the first of `languages`.
   */
  localize?: (code: string, language: string, params: Readonly<Record<string, unknown>>) => string | undefined
  /**
   * The languages of `localize`, the default first; or a function that returns the one to use.
   * @defaultValue `['en']`
   */
  languages?: readonly string[] | ((req: Req) => string)
  /** Returns milliseconds since 1970, for `timestamp`. @defaultValue `Date.now` */
  now?: () => number
}

const KNOWN = [
  'strictRecord',
  'html',
  'problemBaseUrl',
  'codes',
  'challenge',
  'render',
  'mapError',
  'onError',
  'correlationId',
  'localize',
  'languages',
  'now',
] as const satisfies readonly (keyof ErrorsOptions)[]

/** Throws a `TypeError` that names the option and its value if an option is not valid. */
export function checkOptions(options: Pick<ErrorsOptions<never, never>, keyof ErrorsOptions>): void {
  assertKnownOptions('errors', options, KNOWN)
  const { html, problemBaseUrl, codes, challenge, languages, strictRecord } = options
  if (strictRecord !== undefined && typeof strictRecord !== 'boolean')
    throw new TypeError(`errors: strictRecord must be true or false, got ${inspectValue(strictRecord)}`)
  if (html !== undefined && typeof html !== 'boolean' && typeof html !== 'function')
    throw new TypeError(`errors: html must be true, false or a function, got ${inspectValue(html)}`)
  if (problemBaseUrl !== undefined && typeof problemBaseUrl !== 'function' && !URL.canParse(problemBaseUrl))
    throw new TypeError(
      `errors: problemBaseUrl must be an absolute URI or a function, got ${inspectValue(problemBaseUrl)}`,
    )
  if (challenge !== undefined && challenge !== false && !isHeaderValue(challenge))
    throw new TypeError(
      `errors: challenge must be a header value such as "Bearer" or false, got ${inspectValue(challenge)}`,
    )
  if (codes !== undefined && typeof codes !== 'function') checkCodes(codes)
  for (const name of ['render', 'mapError', 'onError', 'correlationId', 'localize', 'now'] as const) {
    const value = options[name]
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`errors: ${name} must be a function, got ${inspectValue(value)}`)
  }
  const isList = Array.isArray(languages) && languages.length > 0 && languages.every(isLanguageTag)
  if (languages !== undefined && typeof languages !== 'function' && !isList)
    throw new TypeError(
      `errors: languages must be a list of language tags or a function, got ${inspectValue(languages)}`,
    )
}

function checkCodes(codes: object | null): void {
  if (typeof codes !== 'object' || codes === null)
    throw new TypeError(`errors: codes must be an object or a function, got ${inspectValue(codes)}`)
  for (const [from, to] of Object.entries(codes)) {
    if (!isCode(to))
      throw new TypeError(`errors: codes must be in UPPER_SNAKE case, got ${inspectValue(to)} for ${from}`)
  }
}
