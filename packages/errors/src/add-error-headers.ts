import type { GetChallenge } from './challenge.ts'
import type { ErrorContext } from './error-context.ts'
import { setHeaders } from './error-headers.ts'
import type { HeaderTarget } from './header-list.ts'
import type { ErrorResponse } from './options.ts'

/** Adds the headers of one error to those of every error. */
export function addErrorHeaders<Req, Res>(
  target: HeaderTarget,
  status: number,
  { classification }: Pick<ErrorContext<Req, Res>, 'classification'>,
  response: ErrorResponse,
  getChallenge: GetChallenge,
): void {
  setHeaders(target, classification.headers)
  if (response.headers) setHeaders(target, response.headers)
  if (status === 401 && !target.hasHeader('WWW-Authenticate')) {
    const challenge = getChallenge()
    if (challenge !== undefined) target.setHeader('WWW-Authenticate', challenge)
  }
}
