import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { Classification } from './classify.ts'
import type { ErrorHeaders } from './http-error.ts'
import { isLanguageTag } from './language.ts'
import type { LogEntry, Severity } from './log.ts'
import type { ErrorRecord } from './record.ts'

/** Everything that is known when an error is answered. */
export interface ErrorContext {
  /** What was thrown. It is for decisions and logs; nothing of it may be sent. */
  error: unknown
  /** What the client may know: status, code, message, header fields. */
  facts: Classification
  /** How severe the error is in the log. */
  severity: Severity
  /** The Error record, in the client's language. */
  record: ErrorRecord
  /** The language of the record, where `localize` is used. */
  language: string | undefined
  /** What the option `correlationId` gave for this request. */
  correlationId: string | undefined
  /** The request that failed. */
  req: IncomingMessage
  /** Its response, of which nothing has been sent. */
  res: ServerResponse
}

/** An answer made by the application. HEAD, length, header fields of the error and caching are still taken care of. */
export interface Rendition {
  /** `application/soap+xml; charset=utf-8`. */
  contentType: string
  /** The whole body; text is sent in UTF-8. */
  body: string | Uint8Array
  /** @defaultValue the status of the error */
  status?: number
  /** Further header fields. */
  headers?: ErrorHeaders
}

/** What `errors` takes: shapes that an error may have, and who is told of it. */
export interface ErrorsOptions {
  /** Only the members that every record has (`timestamp`, `status`, `error`, `message`, `path`). @defaultValue false */
  strictRecord?: boolean
  /**
   * Whether browsers get a page: `true` for a plain one, or a function that returns one. It is called for a client
   * that prefers HTML; if it throws or rejects, the plain page is sent. @defaultValue false: they get JSON
   */
  html?: boolean | ((context: ErrorContext) => string | Promise<string>)
  /**
   * What the types of problem documents start with: `https://api.example/problems` makes the type
   * `https://api.example/problems/out-of-credit`. A function is asked for each request, where the address of the
   * service depends on it. @defaultValue `about:blank`
   */
  problemBase?: string | ((req: IncomingMessage) => string)
  /**
   * Answers an error in a shape of its own, such as a SOAP fault. Called for every error, before the shape is chosen by
   * Accept; `undefined` leaves the error to the others. If it throws or rejects, so does that.
   */
  render?: (context: ErrorContext) => Rendition | undefined | Promise<Rendition | undefined>
  /**
   * Called first, with what was thrown: returns the error that takes its place (`httpError(...)`), or `undefined` to
   * leave it. What it throws takes the place too. A promise is not waited for, and leaves the error as it is.
   */
  mapError?: (error: unknown, req: IncomingMessage) => unknown
  /**
   * Called once for each error, for the log, with `error`, `status`, `code`, `severity` (`error`, `warn`, `info`),
   * `method`, `path`, `correlationId`, `instance`, `req`. A throw or a rejection changes nothing for the client.
   * @defaultValue writes those of severity `error` to standard error
   */
  onError?: (entry: LogEntry) => void | Promise<void>
  /** The identifier of a request in your logs; a UUID becomes the `instance` of problems. @defaultValue none */
  correlationId?: (req: IncomingMessage) => string | undefined
  /**
   * Translates the message of a code, and the detail of an entry of `errors`, with the `params` of the error or of the
   * entry; sets `Content-Language` and `Vary`. `undefined` leaves the text as it is, which is taken to be in the first of `languages`.
   */
  localize?: (code: string, language: string, params: Readonly<Record<string, unknown>>) => string | undefined
  /**
   * The languages of `localize`, the default first; or a function that says which one a request wants. @defaultValue
   * `['en']`
   */
  languages?: readonly string[] | ((req: IncomingMessage) => string)
  /** Milliseconds since 1970, for `timestamp`. @defaultValue `Date.now` */
  now?: () => number
}

const KNOWN = [
  'strictRecord',
  'html',
  'problemBase',
  'render',
  'mapError',
  'onError',
  'correlationId',
  'localize',
  'languages',
  'now',
] as const satisfies readonly (keyof ErrorsOptions)[]

/** Refuses what cannot work, when the middleware is made. */
export function checkOptions(options: ErrorsOptions): void {
  assertKnownOptions('errors', options, KNOWN)
  const { html, problemBase, languages, strictRecord } = options
  if (strictRecord !== undefined && typeof strictRecord !== 'boolean')
    throw new TypeError(`errors: strictRecord must be true or false, got ${inspectValue(strictRecord)}`)
  if (html !== undefined && typeof html !== 'boolean' && typeof html !== 'function')
    throw new TypeError(`errors: html must be true, false or a function, got ${inspectValue(html)}`)
  if (problemBase !== undefined && typeof problemBase !== 'function' && !URL.canParse(problemBase))
    throw new TypeError(`errors: problemBase must be an absolute URI or a function, got ${inspectValue(problemBase)}`)
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
