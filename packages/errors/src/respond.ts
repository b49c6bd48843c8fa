import { isPromise } from '../../internal/guard.ts'
import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import { inspectValue } from '../../internal/options.ts'
import type { ErrorContext, RequestInfo } from './error-context.ts'
import type { Format } from './format.ts'
import type { HeaderList } from './header-list.ts'
import { createLogEntry } from './log.ts'
import type { ErrorResponse, ErrorsOptions } from './options.ts'
import { createInstance } from './problem.ts'
import { buildResponse, checkResponse, type ProblemUris, toPage } from './render.ts'
import type { Settings } from './settings.ts'

/** Sends the response of an error. `list` has the headers of every error. */
export type Send = (response: ErrorResponse, list: HeaderList) => void

/**
 * Logs an error and calls `send` with its response: that of `render`, a page of the app, or the
 * format that `Accept` prefers. A callback that throws or rejects is logged and skipped.
 */
export function respond<Req, Res>(
  settings: Settings<Req, Res>,
  context: ErrorContext<Req, Res>,
  info: RequestInfo<Req, Res>,
  send: Send,
): void {
  const { options, log, selectFormat, createHeaderList } = settings
  const { html, render } = options
  const format = selectFormat(info.accept)
  const instance = format.startsWith('problem') ? createInstance(context.correlationId) : undefined
  const entry = createLogEntry(context, info)
  log(instance === undefined ? entry : { ...entry, instance })

  const fail = (thrown: unknown): undefined => {
    log({ ...entry, error: thrown, status: 500, severity: 'error' })
  }
  const callApp = (call: () => MaybePromise<ErrorResponse | undefined>): MaybePromise<ErrorResponse | undefined> =>
    orElse(() => chain(call(), checkResponse), fail)
  const createPage = (): MaybePromise<ErrorResponse | undefined> =>
    format === 'html' && typeof html === 'function' ? callApp(() => toPage(html(context))) : undefined
  const finish = (custom: ErrorResponse | undefined): void => {
    const problemBaseUrl = custom || instance === undefined ? undefined : resolveBaseUrl(options, info.req, fail)
    const response = custom ?? buildPlainResponse(format, context, { problemBaseUrl, instance }, fail)
    const content = { contentType: response.contentType, language: context.language }
    send(response, createHeaderList(info.req, content, fail))
  }
  const rendered = render && callApp(() => render(context))
  const custom = isPromise(rendered)
    ? rendered.then((response) => response ?? createPage())
    : (rendered ?? createPage())
  if (isPromise(custom)) custom.then(finish)
  else finish(custom)
}

/**
 * Returns the start of problem types for a request. If the function fails or returns no URI, the
 * type is `about:blank`.
 */
function resolveBaseUrl<Req, Res>(
  { problemBaseUrl }: ErrorsOptions<Req, Res>,
  req: Req,
  fail: (thrown: unknown) => void,
): string | undefined {
  if (typeof problemBaseUrl !== 'function') return problemBaseUrl
  try {
    const base = problemBaseUrl(req)
    if (URL.canParse(base)) return base
    throw new TypeError(`errors: problemBaseUrl must return an absolute URI, got ${inspectValue(base)}`)
  } catch (thrown) {
    fail(thrown)
    return undefined
  }
}

/** Falls back to a record if extension members cannot be serialized (a bigint, a cycle). */
function buildPlainResponse(
  format: Format,
  context: ErrorContext<unknown, unknown>,
  uris: ProblemUris,
  fail: (thrown: unknown) => void,
): ErrorResponse {
  try {
    return buildResponse(format, context, uris)
  } catch (thrown) {
    fail(thrown)
    const { timestamp, status, error, message, path } = context.record
    return buildResponse('json', { ...context, record: { timestamp, status, error, message, path } }, uris)
  }
}
