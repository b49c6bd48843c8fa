import { mapOrThrown } from '../../internal/map-error.ts'
import type { Classification } from './classification.ts'
import { classify } from './classify.ts'
import { isCode } from './code.ts'
import type { ErrorContext, RequestInfo, Severity } from './error-context.ts'
import { isNativeError } from './foreign/status-carriers.ts'
import { isHttpErrorInstance } from './http-error.ts'
import type { ErrorEntry } from './issues.ts'
import { isLanguageTag } from './language.ts'
import { createLogEntry } from './log.ts'
import type { ErrorsOptions } from './options.ts'
import { buildRecord } from './record.ts'
import type { Settings } from './settings.ts'

type Localize = NonNullable<ErrorsOptions['localize']>
type Fail = (thrown: unknown) => void

/** Creates the context of an error for callbacks and formats. A callback that throws is logged. */
export function createContext<Req, Res>(
  settings: Settings<Req, Res>,
  error: unknown,
  info: RequestInfo<Req, Res>,
): ErrorContext<Req, Res> {
  const { codes, mapError, correlationId, strictRecord: strict = false, now } = settings.options
  const { req, res, path } = info
  const fail: Fail = (cause) => {
    const severity = 'error'
    settings.log(
      createLogEntry(
        { error: cause, classification: classify(undefined), severity, req, correlationId: undefined },
        info,
      ),
    )
  }
  const thrown = mapError ? mapOrThrown(() => mapError(error, req), error) : error
  const original = classify(thrown, info.status)
  const { classification, language } = translate(
    codes ? renameCode(original, codes, fail) : original,
    info,
    settings,
    fail,
  )
  const id = correlationId && attempt(correlationId, req, fail)
  return {
    error,
    classification,
    severity: getSeverity(classification.status, thrown),
    record: buildRecord(classification, { path, now: now ? readTime(now, fail) : Date.now(), strict }),
    language,
    correlationId: typeof id === 'string' ? id : undefined,
    req,
    res,
  }
}

function renameCode(
  classification: Classification,
  codes: NonNullable<ErrorsOptions['codes']>,
  fail: Fail,
): Classification {
  const { code } = classification
  const renamed =
    typeof codes === 'function' ? attempt(codes, code, fail) : Object.hasOwn(codes, code) ? codes[code] : undefined
  return typeof renamed === 'string' && isCode(renamed) ? { ...classification, code: renamed } : classification
}

/** Returns `error` for a bug, even if the handler had set a status below 500 before it threw. */
function getSeverity(status: number, thrown: unknown): Severity {
  if (status >= 500) return 'error'
  try {
    if (isHttpErrorInstance(thrown)) return 'warn'
    return thrown instanceof Error && isNativeError(thrown) && classify(thrown).status === 500 ? 'error' : 'warn'
  } catch {
    return 'error' // a getter that throws
  }
}

interface Translation {
  classification: Classification
  language: string | undefined
}

/**
 * Translates the message and the details of the entries. `undefined` keeps a text, which is in the
 * first of the languages.
 */
function translate<Req, Res>(
  classification: Classification,
  { req, acceptLanguage }: RequestInfo<Req, Res>,
  { options: { localize, languages }, selectLanguage }: Settings<Req, Res>,
  fail: Fail,
): Translation {
  if (!localize) return { classification, language: undefined }
  try {
    const language = typeof languages === 'function' ? languages(req) : selectLanguage(acceptLanguage)
    if (isLanguageTag(language)) {
      const message = localize(classification.code, language, classification.params ?? {})
      const errors = classification.errors?.map((entry) => localizeEntry(entry, language, localize))
      const isTranslated = typeof message === 'string' || typeof languages === 'function'
      return {
        classification: { ...classification, message: stringOr(message, classification.message), errors },
        language: isTranslated ? language : selectLanguage(undefined),
      }
    }
  } catch (thrown) {
    fail(thrown)
  }
  return { classification, language: undefined }
}

function localizeEntry(entry: ErrorEntry, language: string, localize: Localize): ErrorEntry {
  const { pointer, location, field, detail, params } = entry
  const values = { ...params, pointer, location, field, detail }
  return { ...entry, detail: stringOr(localize(entry.code, language, values), detail) }
}

function stringOr(text: unknown, fallback: string): string {
  return typeof text === 'string' ? text : fallback
}

/** The last time of a `Date`, in milliseconds since 1970. */
const MAX_TIME = 8.64e15

function readTime(now: () => number, fail: Fail): number {
  const time = attempt(now, undefined, fail)
  return typeof time === 'number' && Math.abs(time) <= MAX_TIME ? time : Date.now()
}

/** Calls a function. Logs what it throws, and returns `undefined`. */
function attempt<A, T>(call: (argument: A) => T, argument: A, fail: Fail): T | undefined {
  try {
    return call(argument)
  } catch (thrown) {
    fail(thrown)
    return undefined
  }
}
