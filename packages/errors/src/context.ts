import { isPromise } from '../../internal/guard.ts'
import { getHeader, getPath, type IncomingMessage, type ServerResponse } from '../../internal/middleware.ts'
import { type Classification, classify } from './classify.ts'
import { isNativeError } from './foreign/status-carriers.ts'
import { isLanguageTag, languageFor } from './language.ts'
import { localized } from './localize.ts'
import type { Severity } from './log.ts'
import type { ErrorContext, ErrorsOptions } from './options.ts'
import { recordOf } from './record.ts'

/** Puts together everything that is known of an error. A callback that throws is passed over. */
export function contextOf(
  options: ErrorsOptions,
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
): ErrorContext {
  const { mapError, correlationId, strictRecord = false, now = Date.now } = options
  const mapped =
    mapError &&
    attempt(
      () => settled(mapError(error, req)),
      (thrown) => thrown,
    )
  const thrown = mapped ?? error
  const [facts, language] = inLanguageOf(req, classify(thrown, res.statusCode), options)
  return {
    error,
    facts,
    severity: severityOf(facts.status, thrown),
    record: recordOf(facts, { path: getPath(req), now: timeOf(now), strict: strictRecord }),
    language,
    correlationId: correlationId && textOf(attempt(() => correlationId(req))),
    req,
    res,
  }
}

/** A bug stays one in the log, also if the handler had set a status below 500 before it threw. */
function severityOf(status: number, thrown: unknown): Severity {
  if (status >= 500) return 'error'
  return thrown instanceof Error && isNativeError(thrown) && classify(thrown).status === 500 ? 'error' : 'warn'
}

/** What is no promise: one is not waited for, and its rejection must not end the process. */
function settled(value: unknown): unknown {
  if (!isPromise(value)) return value
  value.then(undefined, () => {})
  return undefined
}

function inLanguageOf(
  req: IncomingMessage,
  facts: Classification,
  { localize, languages = ['en'] }: ErrorsOptions,
): [Classification, string | undefined] {
  if (!localize) return [facts, undefined]
  return attempt<[Classification, string | undefined]>(
    () => {
      const wanted = getHeader(req, 'accept-language')
      const language = typeof languages === 'function' ? languages(req) : languageFor(wanted, languages)
      return isLanguageTag(language) ? [localized(facts, language, localize), language] : [facts, undefined]
    },
    () => [facts, undefined],
  )
}

function timeOf(now: () => number): number {
  const time = attempt(now)
  return Number.isFinite(time) ? Number(time) : Date.now()
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function attempt<T>(call: () => T, otherwise: (thrown: unknown) => T): T
function attempt<T>(call: () => T): T | undefined
function attempt<T>(call: () => T, otherwise?: (thrown: unknown) => T): T | undefined {
  try {
    return call()
  } catch (thrown) {
    return otherwise?.(thrown)
  }
}
