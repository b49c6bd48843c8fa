import type { Classification, RecognizedError } from './classification.ts'
import { isCode } from './code.ts'
import { recognizers } from './foreign/recognizers.ts'
import { type HttpError, isHttpErrorInstance } from './http-error.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/**
 * Returns the information that a client may see about any thrown value: an error of this package,
 * an error with a status (http-errors, Boom, Fastify, Hono, body-parser), or an error of a
 * supported library (Standard Schema, jose, pg, SQLite, zlib, Node.js). Any other value gets a
 * constant message, and the status of the response if that is an error status, as in Express, or
 * 500. Never throws.
 */
export function classify(error: unknown, responseStatus = 500): Classification {
  try {
    if (isHttpErrorInstance(error)) return fromHttpError(error)
    if (typeof error === 'object' && error !== null) {
      for (const recognize of recognizers) {
        const recognized = recognize(error)
        if (recognized && isErrorStatus(recognized.status)) return addDefaults(recognized)
      }
    }
  } catch {
    // A getter or a proxy of the error threw, so none of its properties is trusted.
  }
  return addDefaults({ status: isErrorStatus(responseStatus) ? responseStatus : 500 })
}

function fromHttpError(error: HttpError): Classification {
  const { status, code, expose, headers, errors, params, type, title, extensions } = error
  if (!isErrorStatus(status)) return addDefaults({ status: 500 })
  const message = expose && typeof error.message === 'string' ? error.message : getStatusDefaults(status).message
  return { status, code, message, expose, headers: { ...headers }, errors, params, type, title, extensions }
}

function addDefaults(recognized: RecognizedError): Classification {
  const defaults = getStatusDefaults(recognized.status)
  const { message, code } = recognized
  return {
    ...recognized,
    code: code !== undefined && isCode(code) ? code : defaults.code,
    message: message || defaults.message,
    expose: Boolean(message),
    headers: { ...recognized.headers },
  }
}
