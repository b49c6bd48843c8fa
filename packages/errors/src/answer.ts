import { guard } from '../../internal/guard.ts'
import { fieldOf } from '../../internal/middleware.ts'
import { formatFor } from './format.ts'
import { entryOf, type Log } from './log.ts'
import type { ErrorContext, ErrorsOptions, Rendition } from './options.ts'
import { instanceOf } from './problem.ts'
import { pageOf, renditionOf } from './render.ts'
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

  const ask = (call: () => Rendition | undefined | Promise<Rendition | undefined>, done: Done): void =>
    guard(call, done, (thrown) => {
      log({ ...entry, error: thrown, status: 500, severity: 'error' })
      done(undefined)
    })
  const plain = (): void => send(context, renditionOf(format, context, { problemBase, instance }))
  const own = (): void => {
    if (format !== 'html' || typeof html !== 'function') return plain()
    ask(
      () => pageOf(html(context)),
      (rendition) => (rendition ? send(context, rendition) : plain()),
    )
  }
  if (!render) own()
  else
    ask(
      () => render(context),
      (rendition) => (rendition ? send(context, rendition) : own()),
    )
}
