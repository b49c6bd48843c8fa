import type { Classification, RecognizedError } from './classification.ts'
import { isCode } from './code.ts'
import { recognizers } from './foreign/recognizers.ts'
import { type ErrorHeaders, type HttpError, isHttpErrorInstance } from './http-error.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

const NO_HEADERS: ErrorHeaders = {}

/**
 * Returns what a client may learn about any thrown value: errors of this package, errors with a
 * status (http-errors, Boom, Fastify, Hono, body-parser), and known errors of libraries (Standard
 * Schema, jose, pg, SQLite, zlib, node). Everything else has the status of the response if that is
 * an error status, as in Express, or 500, and a constant message. Never throws.
 */
export function classify(error: unknown, responseStatus = 500): Classification {
  try {
    if (isHttpErrorInstance(error)) return fromOwn(error)
    if (typeof error === 'object' && error !== null) {
      for (const recognize of recognizers) {
        const recognized = recognize(error)
        if (recognized && isErrorStatus(recognized.status)) return complete(recognized)
      }
    }
  } catch {
    // A getter or a proxy of the error threw: it says nothing that could be relied on.
  }
  return complete({ status: isErrorStatus(responseStatus) ? responseStatus : 500 })
}

function fromOwn(error: HttpError): Classification {
  const { status, code, expose, headers, errors, params, type, title, extensions } = error
  if (!isErrorStatus(status)) return complete({ status: 500 })
  const message = expose && typeof error.message === 'string' ? error.message : getStatusDefaults(status).message
  return { status, code, message, expose, headers: headers ?? NO_HEADERS, errors, params, type, title, extensions }
}

function complete(recognized: RecognizedError): Classification {
  const words = getStatusDefaults(recognized.status)
  const { message, code } = recognized
  return {
    ...recognized,
    code: code !== undefined && isCode(code) ? code : words.code,
    message: message || words.message,
    expose: Boolean(message),
    headers: recognized.headers ?? NO_HEADERS,
  }
}
