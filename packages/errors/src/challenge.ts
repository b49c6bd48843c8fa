import { warnOnce } from '../../internal/warn-once.ts'

/** Codes of the process warnings of this package. */
export type ErrorsWarningCode = 'WRN_ERRORS_CHALLENGE_MISSING'

const CODE: ErrorsWarningCode = 'WRN_ERRORS_CHALLENGE_MISSING'

const MESSAGE =
  'A 401 response has no WWW-Authenticate header (RFC 9110 §11.6.1). ' +
  "Set it on the error, or set the option challenge, such as 'Bearer'; challenge: false turns this warning off."

/**
 * Returns the challenge for a 401 that has none. Without the option it returns `undefined`, and
 * emits a warning once.
 */
export type GetChallenge = () => string | undefined

/** Creates the function that returns the challenge by the option `challenge`. */
export function createChallenge(challenge: string | false | undefined): GetChallenge {
  if (challenge !== undefined) return () => challenge || undefined
  return () => {
    warnOnce('errors', CODE, MESSAGE)
    return undefined
  }
}
