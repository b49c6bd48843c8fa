import type { FetchMiddleware } from '../../internal/fetch-middleware.ts'
import { createArgumentError } from '../../internal/options.ts'
import { addErrorHeaders } from './add-error-headers.ts'
import type { GetChallenge } from './challenge.ts'
import { createContext } from './create-context.ts'
import type { ErrorContext, RequestInfo } from './error-context.ts'
import type { HeaderList } from './header-list.ts'
import { createLogEntry, formatLogLine, type LogEntry, showError } from './log.ts'
import type { ErrorResponse, ErrorsOptions } from './options.ts'
import { respond } from './respond.ts'
import { compileOptions } from './settings.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

export type { FetchMiddleware, FetchNext } from '../../internal/fetch-middleware.ts'

/**
 * Options for `errors()` and `toResponse()` on Fetch hosts. Callbacks get a `Request`, and no
 * response.
 */
export type FetchErrorsOptions = ErrorsOptions<Request, undefined>

/**
 * Creates middleware for Fetch hosts. If the handler throws or rejects, it returns the response for
 * the error in the format that `Accept` prefers.
 *
 * @example export default { fetch: (request) => errors()(request, handle) }
 */
export function errors(options: FetchErrorsOptions = {}): FetchMiddleware {
  const toErrorResponse = createToResponse(options)
  return async function errors(request, next) {
    try {
      return await next(request)
    } catch (error) {
      return toErrorResponse(error, request)
    }
  }
}

/**
 * Returns the response for an error, for hosts with their own error callback, such as `app.onError`
 * of Hono. Throws a `TypeError` if the request or an option is not valid.
 */
export function toResponse(error: unknown, request: Request, options: FetchErrorsOptions = {}): Promise<Response> {
  if (typeof request?.url !== 'string') throw createArgumentError('errors: toResponse', 'request', 'a Request', request)
  // Created for each call, it would emit the warning for each request.
  return createToResponse({ challenge: false, ...options })(error, request)
}

function createToResponse(options: FetchErrorsOptions): (error: unknown, request: Request) => Promise<Response> {
  const settings = compileOptions(options, writeEntry)
  const { log, getChallenge } = settings
  return (error, request) => {
    const info = readRequest(request)
    const context = createContext(settings, error, info)
    if (request.signal?.aborted) {
      log({ ...createLogEntry(context, info), status: 499, severity: 'info' })
      return Promise.resolve(new Response(null, { status: 499 }))
    }
    return new Promise((resolve) => {
      respond(settings, context, info, (response, list) =>
        resolve(buildResponse(context, response, list, getChallenge)),
      )
    })
  }
}

function readRequest(req: Request): RequestInfo<Request, undefined> {
  const { method, url, headers } = req
  const path = new URL(url).pathname
  const accept = headers.get('accept') ?? undefined
  const acceptLanguage = headers.get('accept-language') ?? undefined
  return { req, res: undefined, method, path, accept, acceptLanguage, status: 500 }
}

function buildResponse(
  context: ErrorContext<Request, undefined>,
  response: ErrorResponse,
  list: HeaderList,
  getChallenge: GetChallenge,
): Response {
  const status = isErrorStatus(response.status) ? response.status : context.classification.status
  addErrorHeaders(list, status, context.classification, response, getChallenge)
  const headers = new Headers()
  for (const [index, key] of list.keys.entries())
    for (const value of [list.flat[2 * index + 1] ?? []].flat()) headers.append(key, String(value))
  const body = context.req.method === 'HEAD' ? null : (response.body as string | Uint8Array<ArrayBuffer>)
  return new Response(body, { status, statusText: getStatusDefaults(status).reason, headers })
}

function writeEntry(entry: LogEntry<Request>): void {
  // A path can contain `%d`, so it must not be the format.
  // biome-ignore lint/suspicious/noConsole: the standard error of a Fetch host
  console.error(
    '%s\n',
    formatLogLine(entry),
    showError(entry.error, (value) => value),
  )
}
