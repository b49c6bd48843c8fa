import { type Classification, classify, type ErrorHeaders, type HttpError, httpError } from '@svc/errors'
import type { Language } from './locale.ts'
import { localize } from './messages.ts'

/** An error as it is stored: everything that its response is built from, in any language. */
export type StoredError = Pick<Classification, 'status' | 'code' | 'message' | 'expose' | 'errors' | 'params'>

/** Converts an error to what is stored of it: plain data, without headers. */
export function toStoredError(error: unknown): StoredError {
  const { status, code, message, expose, errors, params } = classify(error)
  return { status, code, message, expose, errors, params }
}

/** Restores a stored error, which is localized when it is sent. */
export function restoreError(stored: StoredError, headers?: ErrorHeaders): HttpError {
  const { status, code, message, expose, errors, params } = stored
  const init = { code, expose, ...(headers && { headers }), ...(errors && { errors }), ...(params && { params }) }
  return httpError(status, expose ? message : undefined, init)
}

/** Returns a stored error with its texts in a language. */
export function translateError(stored: StoredError, language: Language): StoredError {
  const { code, message, errors, params = {} } = stored
  const translated = errors?.map(({ params = {}, ...entry }) => {
    return { ...entry, detail: localize(entry.code, language, params) ?? entry.detail }
  })
  return { ...stored, expose: true, message: localize(code, language, params) ?? message, errors: translated }
}
