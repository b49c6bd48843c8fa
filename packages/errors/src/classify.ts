import { isCode } from './code.ts'
import { recognizers } from './foreign/recognizers.ts'
import { type ErrorHeaders, type HttpError, isHttpErrorInstance } from './http-error.ts'
import type { ErrorEntry } from './issues.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/** What a client may learn about an error: nothing that the error does not expose. */
export interface Classification {
  /** 400 to 599. */
  status: number
  /** Stable name of the cause, UPPER_SNAKE. */
  code: string
  /** Safe to send: the message of the error if it is exposed, else a constant of the status. */
  message: string
  /** Whether `message` is that of the error. */
  expose: boolean
  /** Headers of the response. */
  headers: ErrorHeaders
  /** The invalid values of the request. */
  errors?: readonly ErrorEntry[] | undefined
  /** Values for the translated message. */
  params?: Readonly<Record<string, unknown>> | undefined
  /** `type` of the problem document, if the error has one. */
  type?: string | undefined
  /** `title` of the problem document, if the error has one. */
  title?: string | undefined
  /** Extension members of the problem document (RFC 9457 3.2). */
  extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Result of a recognizer. Everything except `status` is optional and defaults by status. */
export type RecognizedError = { status: number } & Partial<Omit<Classification, 'expose'>>

const NO_HEADERS: ErrorHeaders = {}

/**
 * Returns what a client may learn about any thrown value: errors of this package, errors with a status (http-errors,
 * Boom, Fastify, Hono, body-parser), and known errors of libraries (Standard Schema, jose, pg, SQLite, zlib, node).
 * Everything else has the status of the response if that is an error status, as in Express, or 500, and a constant
 * message. Never throws.
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
