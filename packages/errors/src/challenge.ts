/** Warnings of this package, as `code` of the process warning. */
export type ErrorsWarningCode = 'WRN_ERRORS_CHALLENGE_MISSING'

const MISSING =
  '[svc:errors] A 401 response has no WWW-Authenticate header (RFC 9110 §11.6.1). ' +
  "Set it on the error, or set the option challenge, such as 'Bearer'; challenge: false turns this warning off."

/** Returns the challenge for a 401 that has none. Without the option it is none, and the first time there is a warning. */
export type GetChallenge = () => string | undefined

/** Creates the function that returns the value of the option `challenge`. */
export function createChallenge(challenge: string | false | undefined): GetChallenge {
  if (challenge !== undefined) return () => challenge || undefined
  let hasWarned = false
  return () => {
    if (!hasWarned) {
      const code: ErrorsWarningCode = 'WRN_ERRORS_CHALLENGE_MISSING'
      // Workers have no process.
      globalThis.process?.emitWarning?.(MISSING, { type: 'SvcWarning', code })
    }
    hasWarned = true
    return undefined
  }
}
