import { guard } from '../../internal/guard.ts'
import { fieldOf } from '../../internal/middleware.ts'
import { type Format, formatFor } from './format.ts'
import { entryOf, type Log } from './log.ts'
import type { ErrorContext, ErrorsOptions, Rendition } from './options.ts'
import { instanceOf } from './problem.ts'
import { type ProblemPart, pageOf, renditionOf } from './render.ts'
import { send } from './send.ts'

type Done = (rendition: Rendition | undefined) => void

/**
 * Logs an error and answers it: by the application's `render`, else its page, else the shape that was chosen. What
 * throws or rejects is logged and left out.
 */
export function answer(options: ErrorsOptions, context: ErrorContext, log: Log): void {
  const { html = false, render, problemBase } = options
  const format = formatFor(fieldOf(context.req, 'accept'), html !== false)
  const instance = format.startsWith('problem') ? instanceOf(context.correlationId) : undefined
  const entry = entryOf(context)
  log(instance === undefined ? entry : { ...entry, instance })

  const fail = (thrown: unknown): void => log({ ...entry, error: thrown, status: 500, severity: 'error' })
  const ask = (call: () => Rendition | undefined | Promise<Rendition | undefined>, done: Done): void =>
    guard(call, done, (thrown) => {
      fail(thrown)
      done(undefined)
    })
  const plain = (): void => send(context, plainRendition(format, context, { problemBase, instance }, fail))
  const own = (): void => {
    if (format !== 'html' || typeof html !== 'function') return plain()
    ask(
      () => pageOf(html(context)),
      (rendition) => (rendition ? send(context, rendition) : plain()),
    )
  }
  if (!render) return own()
  ask(
    () => render(context),
    (rendition) => (rendition ? send(context, rendition) : own()),
  )
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
