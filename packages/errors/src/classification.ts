import type { ErrorHeaders } from './http-error.ts'
import type { ErrorEntry } from './issues.ts'

/** The information about an error that a client may see. */
export interface Classification {
  /** HTTP status, 400 to 599. */
  status: number
  /** Stable name of the cause in UPPER_SNAKE case. */
  code: string
  /**
   * The message of the error if it is exposed, else a constant message for the status. Safe to
   * send.
   */
  message: string
  /** Whether `message` is the message of the error. */
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
  /** Extension members of the problem document (RFC 9457 §3.2). */
  extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Result of a recognizer. Everything except `status` is optional and defaults by status. */
export type RecognizedError = { status: number } & Partial<Omit<Classification, 'expose'>>

/**
 * Recognizes one family of errors by its shape, since `instanceof` fails across copies of a
 * package.
 */
export type Recognizer = (error: object) => RecognizedError | undefined
