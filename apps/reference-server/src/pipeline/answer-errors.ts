import {
  type ErrorContext,
  type ErrorMiddleware,
  type ErrorResponse,
  errors,
  httpError,
  isHttpError,
} from '@svc/errors'
import type { Logger } from 'pino'
import { drainRequest } from '../../../../packages/internal/drain-request.ts'
import type { IncomingMessage } from '../../../../packages/internal/middleware.ts'
import { isPassing } from '../database/violation.ts'
import { exchangeOf } from '../exchange.ts'
import { messageIn } from '../languages/messages.ts'
import { errorPage } from '../pages/error.ts'
import { languages } from '../pages/locale.ts'
import type { Site } from '../pages/site.ts'

export interface ErrorsOptions {
  log: Logger
  site: Site
  /** What the SOAP services make of errors at their paths. */
  toFault: (context: ErrorContext) => ErrorResponse | undefined
}

/** The last stage: every failure becomes one clear answer, with the fields that every answer has. */
export function answerErrors({ log, site, toFault }: ErrorsOptions): ErrorMiddleware {
  const answer = errors({
    problemBaseUrl: `${site.publicUrl || 'http://localhost'}/problems`,
    codes: renameCode,
    mapError: (error, req) => withoutDialog(mapped(error), req),
    render: toFault,
    html: (context) => errorPage(context, site),
    languages,
    localize: messageIn,
    correlationId: (req) => exchangeOf(req).correlationId,
    onError({ error, status, code, method, path, correlationId, severity }) {
      const entry = { correlationId, status, code, method, path, ...(severity === 'error' && { err: error }) }
      // It was told when it happened: a retry that gets the same answer is no failure of its own.
      if (isReplay(error)) log.info({ correlationId, status, code, method, path }, 'failure replayed')
      else if (severity === 'error') log.error(entry, 'request failed')
      else log.debug(entry, 'request refused')
    },
  })
  return function answerErrors(error, req, res, next) {
    if (!res.headersSent) for (const [name, value] of Object.entries(exchangeOf(req).fields)) res.setHeader(name, value)
    drainRequest(req, res)
    answer(error, req, res, next)
  }
}

// The codes of the packages that this service calls by other words.
const CODES: Readonly<Record<string, string>> = {
  ERR_NEGOTIATE_UNSUPPORTED_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  ERR_NEGOTIATE_UNSUPPORTED_CODING: 'UNSUPPORTED_ENCODING',
  ERR_NEGOTIATE_BODY_DAMAGED: 'MALFORMED_BODY',
  ERR_RATELIMIT_EXCEEDED: 'RATE_LIMITED',
  ERR_RATELIMIT_DENIED: 'FORBIDDEN',
  ERR_RATELIMIT_STORE_DOWN: 'SERVICE_UNAVAILABLE',
  ERR_RATELIMIT_STORE_TIMEOUT: 'SERVICE_UNAVAILABLE',
  ERR_IDEMPOTENCY_STORE_DOWN: 'SERVICE_UNAVAILABLE',
}

/** Returns the service's name for a code: `ERR_VERSIONING_CONFLICT` is `VERSION_CONFLICT`, a code of its own stays. */
function renameCode(code: string): string {
  return CODES[code] ?? code.replace(/^ERR_(?:NEGOTIATE_|SERVER_)?/, '').replace(/^VERSIONING_/, 'VERSION_')
}

function isReplay(error: unknown): boolean {
  return isHttpError(error) && error.headers?.['Idempotent-Replayed'] !== undefined
}

function mapped(error: unknown): unknown {
  if (isPassing(error)) return httpError(503, undefined, { code: 'SERVICE_UNAVAILABLE', retryAfter: 5, cause: error })
  return error
}

// A challenge of Basic makes a browser ask for a password: it is for those who visit a page, not for its scripts.
function withoutDialog(error: unknown, req: IncomingMessage): unknown {
  const mode = req.headers['sec-fetch-mode']
  if (mode === undefined || mode === 'navigate' || !isHttpError(error) || error.status !== 401) return error
  const challenges = error.headers?.['WWW-Authenticate']
  if (!Array.isArray(challenges)) return error
  const headers = { ...error.headers, 'WWW-Authenticate': challenges.filter((one) => !one.startsWith('Basic')) }
  return Object.assign(error, { headers })
}
