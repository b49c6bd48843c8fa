import type { IncomingMessage } from 'node:http'
import { type ErrorsOptions, HttpError, isHttpError } from '@svc/errors'
import type { Logger } from 'pino'
import { requestStateOf } from '../engine/request-state.ts'
import { errorPage } from '../formats/pages/problems.ts'
import type { SiteConfig } from '../formats/pages/view.ts'
import { languages } from '../messages/locale.ts'
import { localize } from '../messages/messages.ts'
import { getBaseUrl } from '../security/origin.ts'
import { toFailure, toUnavailable } from './codes.ts'
import type { Extension } from './dependencies.ts'
import { oauthError } from './endpoints/tokens.ts'

type Localize = NonNullable<Extension['localize']>

export interface ErrorParts {
  log: Logger
  site: SiteConfig
  /** Asked before the service, in their order. */
  localizers: readonly Localize[]
  /** Returns the fault that a SOAP service responds with; `undefined` for other requests. */
  toFault: NonNullable<ErrorsOptions['render']>
}

/** Returns how errors look and what is logged of them. */
export function errorOptions({ log, site, localizers, toFault }: ErrorParts): ErrorsOptions {
  return {
    mapError: toServiceError,
    render: (context) => toFault(context) ?? oauthError(context),
    // Every response has them.
    headers: (req) => requestStateOf(req).headerParts,
    correlationId: (req) => requestStateOf(req).correlationId,
    problemBaseUrl: (req) => `${getBaseUrl(req, site.publicUrl)}/problems`,
    html: (context) => errorPage(context, site),
    languages,
    localize: localizers.length === 0 ? localize : tryInTurn([...localizers, localize]),
    onError({ error, status, code, method, path, correlationId, severity }) {
      const entry = { correlationId, status, code, method, path }
      // The original error was logged when it happened. A replayed error is not a new one.
      if (isReplay(error)) log.info(entry, 'failure replayed')
      else if (severity === 'error') log.error({ ...entry, err: error }, 'request failed')
      else log.debug(entry, 'request refused')
    },
  }
}

function tryInTurn(localizers: readonly Localize[]): Localize {
  return (code, language, params) => {
    for (const localizeOne of localizers) {
      const text = localizeOne(code, language, params)
      if (text !== undefined) return text
    }
    return undefined
  }
}

function isReplay(error: unknown): boolean {
  return isHttpError(error) && error.headers?.['Idempotent-Replayed'] !== undefined
}

// Returns an error by the names and messages of this service, for the client that gets it.
function toServiceError(error: unknown, req: IncomingMessage): unknown {
  // Errors that the service itself created have its names and messages.
  if (error instanceof HttpError) return withoutDialog(error, req)
  return withoutDialog(toFailure(toUnavailable(error)), req)
}

// A challenge of Basic makes a browser ask for a password: it is for those who visit a page, not
// for its scripts.
function withoutDialog(error: unknown, req: IncomingMessage): unknown {
  if (!isHttpError(error) || error.status !== 401) return error
  const mode = req.headers['sec-fetch-mode']
  if (mode === undefined || mode === 'navigate') return error
  const challenges = error.headers?.['WWW-Authenticate']
  if (!Array.isArray(challenges)) return error
  const headers = {
    ...error.headers,
    'WWW-Authenticate': challenges.filter((challenge) => !challenge.startsWith('Basic')),
  }
  return Object.assign(error, { headers })
}
