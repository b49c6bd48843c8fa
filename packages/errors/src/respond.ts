import { callSafely } from '../../internal/guard.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { inspectValue } from '../../internal/options.ts'
import type { ErrorContext, RequestInfo } from './error-context.ts'
import { type Format, selectFormat } from './format.ts'
import { createLogEntry, type Log } from './log.ts'
import type { ErrorResponse, ErrorsOptions } from './options.ts'
import { createInstance } from './problem.ts'
import { buildResponse, checkResponse, type ProblemUris, toPage } from './render.ts'

/**
 * Logs an error and calls `send` with its response: that of `render`, a page of the app, or the
 * format that `Accept` prefers. A callback that throws or rejects is logged and skipped.
 */
export function respond<Req, Res>(
  options: ErrorsOptions<Req, Res>,
  context: ErrorContext<Req, Res>,
  info: RequestInfo<Req, Res>,
  log: Log<Req>,
  send: (response: ErrorResponse) => void,
): void {
  const { html = false, render } = options
  const format = selectFormat(info.accept, html !== false)
  const instance = format.startsWith('problem') ? createInstance(context.correlationId) : undefined
  const entry = createLogEntry(context, info)
  log(instance === undefined ? entry : { ...entry, instance })

  const fail = (thrown: unknown): void => log({ ...entry, error: thrown, status: 500, severity: 'error' })
  const sendPlain = (): void => {
    const problemBaseUrl = format.startsWith('problem') ? resolveBaseUrl(options, info.req, fail) : undefined
    send(buildPlainResponse(format, context, { problemBaseUrl, instance }, fail))
  }
  const sendPage = (): void => {
    if (format !== 'html' || typeof html !== 'function') return sendPlain()
    sendFromCallback(() => toPage(html(context)), send, fail, sendPlain)
  }
  if (render) sendFromCallback(() => render(context), send, fail, sendPage)
  else sendPage()
}

/** Sends the response of a callback, or calls `sendNext` if it returns none or fails. */
function sendFromCallback(
  call: () => MaybePromise<ErrorResponse | undefined>,
  send: (response: ErrorResponse) => void,
  fail: (thrown: unknown) => void,
  sendNext: () => void,
): void {
  const recover = (thrown: unknown): void => {
    fail(thrown)
    sendNext()
  }
  callSafely(
    call,
    (result) => {
      let response: ErrorResponse | undefined
      try {
        response = checkResponse(result)
      } catch (thrown) {
        return recover(thrown)
      }
      if (response) send(response)
      else sendNext()
    },
    recover,
  )
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
