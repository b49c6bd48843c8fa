import { isPromise } from '../../internal/guard.ts'
import type { Classification } from './classification.ts'
import { classify } from './classify.ts'
import { isCode } from './code.ts'
import type { ErrorContext, RequestInfo, Severity } from './error-context.ts'
import { isNativeError } from './foreign/status-carriers.ts'
import type { ErrorEntry } from './issues.ts'
import { isLanguageTag, selectLanguage } from './language.ts'
import type { ErrorsOptions } from './options.ts'
import { buildRecord } from './record.ts'

type Localize = NonNullable<ErrorsOptions['localize']>

/** Creates the context of an error for callbacks and formats. A callback that throws is ignored. */
export function createContext<Req, Res>(
  options: ErrorsOptions<Req, Res>,
  error: unknown,
  info: RequestInfo<Req, Res>,
): ErrorContext<Req, Res> {
  const { mapError, correlationId, strictRecord = false, now = Date.now } = options
  const { req, res, path } = info
  const mapped =
    mapError &&
    attempt(
      () => ignorePromise(mapError(error, req)),
      (thrown) => thrown,
    )
  const thrown = mapped ?? error
  const renamed = renameCode(classify(thrown, info.status), options.codes)
  const [classification, language] = translate(renamed, info, options)
  return {
    error,
    classification,
    severity: getSeverity(classification.status, thrown),
    record: buildRecord(classification, { path, now: readTime(now), strict: strictRecord }),
    language,
    correlationId: correlationId && toOptionalString(attempt(() => correlationId(req))),
    req,
    res,
  }
}

function renameCode(classification: Classification, codes: ErrorsOptions['codes']): Classification {
  if (codes === undefined) return classification
  const { code } = classification
  const renamed =
    typeof codes === 'function' ? attempt(() => codes(code)) : Object.hasOwn(codes, code) ? codes[code] : undefined
  return typeof renamed === 'string' && isCode(renamed) ? { ...classification, code: renamed } : classification
}

/** Returns `error` for a bug, even if the handler had set a status below 500 before it threw. */
function getSeverity(status: number, thrown: unknown): Severity {
  if (status >= 500) return 'error'
  return thrown instanceof Error && isNativeError(thrown) && classify(thrown).status === 500 ? 'error' : 'warn'
}

/** Ignores a promise. Its rejection must not end the process. */
function ignorePromise(value: unknown): unknown {
  if (!isPromise(value)) return value
  value.then(undefined, () => {})
  return undefined
}

function translate<Req, Res>(
  classification: Classification,
  { req, acceptLanguage }: RequestInfo<Req, Res>,
  { localize, languages = ['en'] }: ErrorsOptions<Req, Res>,
): [Classification, string | undefined] {
  if (!localize) return [classification, undefined]
  return attempt<[Classification, string | undefined]>(
    () => {
      const language = typeof languages === 'function' ? languages(req) : selectLanguage(acceptLanguage, languages)
      if (!isLanguageTag(language)) return [classification, undefined]
      return [localizeClassification(classification, language, localize), language]
    },
    () => [classification, undefined],
  )
}

/** Translates the message and the details of the entries. `undefined` keeps a text. */
function localizeClassification(classification: Classification, language: string, localize: Localize): Classification {
  const message = stringOr(localize(classification.code, language, classification.params ?? {}), classification.message)
  const errors = classification.errors?.map((entry) => localizeEntry(entry, language, localize))
  return { ...classification, message, errors }
}

function localizeEntry(entry: ErrorEntry, language: string, localize: Localize): ErrorEntry {
  const { pointer, location, field, detail, params } = entry
  const values = { ...params, pointer, location, field, detail }
  return { ...entry, detail: stringOr(localize(entry.code, language, values), detail) }
}

function stringOr(text: unknown, fallback: string): string {
  return typeof text === 'string' ? text : fallback
}

function readTime(now: () => number): number {
  const time = attempt(now)
  return Number.isFinite(time) ? Number(time) : Date.now()
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function attempt<T>(call: () => T, recover: (thrown: unknown) => T): T
function attempt<T>(call: () => T): T | undefined
function attempt<T>(call: () => T, recover?: (thrown: unknown) => T): T | undefined {
  try {
    return call()
  } catch (thrown) {
    return recover?.(thrown)
  }
}
