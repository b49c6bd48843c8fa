import { callSafely } from '../../internal/guard.ts'
import { getHeader } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { type Format, formatFor } from './format.ts'
import { entryOf, type Log } from './log.ts'
import type { ErrorContext, ErrorsOptions, Rendition } from './options.ts'
import { instanceOf } from './problem.ts'
import { checkedRendition, type ProblemPart, pageOf, renditionOf } from './render.ts'
import { send } from './send.ts'

/**
 * Logs an error and answers it: by the application's `render`, else its page, else the shape that was chosen. What
 * throws or rejects is logged and left out.
 */
export function answer(options: ErrorsOptions, context: ErrorContext, log: Log): void {
  const { html = false, render } = options
  const format = formatFor(getHeader(context.req, 'accept'), html !== false)
  const instance = format.startsWith('problem') ? instanceOf(context.correlationId) : undefined
  const entry = entryOf(context)
  log(instance === undefined ? entry : { ...entry, instance })

  const fail = (thrown: unknown): void => log({ ...entry, error: thrown, status: 500, severity: 'error' })
  const plain = (): void => {
    const problemBase = format.startsWith('problem') ? baseFor(options, context, fail) : undefined
    send(context, plainRendition(format, context, { problemBase, instance }, fail))
  }
  const page = (): void => {
    if (format !== 'html' || typeof html !== 'function') return plain()
    ask(() => pageOf(html(context)), context, fail, plain)
  }
  if (render) ask(() => render(context), context, fail, page)
  else page()
}

/** Sends what the application makes of an error; where it makes nothing, or fails, it is the next one's turn. */
function ask(
  call: () => Rendition | undefined | Promise<Rendition | undefined>,
  context: ErrorContext,
  fail: (thrown: unknown) => void,
  otherwise: () => void,
): void {
  const failed = (thrown: unknown): void => {
    fail(thrown)
    otherwise()
  }
  callSafely(
    call,
    (made) => {
      let rendition: Rendition | undefined
      try {
        rendition = checkedRendition(made)
      } catch (thrown) {
        return failed(thrown)
      }
      if (rendition) send(context, rendition)
      else otherwise()
    },
    failed,
  )
}

/** Where problem types start for a request; a function that fails or gives no URI leaves `about:blank`. */
function baseFor(
  { problemBase }: ErrorsOptions,
  { req }: ErrorContext,
  fail: (thrown: unknown) => void,
): string | undefined {
  if (typeof problemBase !== 'function') return problemBase
  try {
    const base = problemBase(req)
    if (URL.canParse(base)) return base
    throw new TypeError(`errors: problemBase must return an absolute URI, got ${inspectValue(base)}`)
  } catch (thrown) {
    fail(thrown)
    return undefined
  }
}

/** Extension members that cannot be written (a bigint, a cycle) must not cost the answer. */
function plainRendition(
  format: Format,
  context: ErrorContext,
  part: ProblemPart,
  fail: (thrown: unknown) => void,
): Rendition {
  try {
    return renditionOf(format, context, part)
  } catch (thrown) {
    fail(thrown)
    const { timestamp, status, error, message, path } = context.record
    return renditionOf('json', { ...context, record: { timestamp, status, error, message, path } }, part)
  }
}
