import type { GetChallenge } from './challenge.ts'
import type { Classification } from './classification.ts'
import { setHeaders } from './error-headers.ts'
import type { HeaderTarget } from './header-list.ts'
import type { ErrorResponse } from './options.ts'

/** Adds the headers of one error to those of every error. */
export function addErrorHeaders(
  target: HeaderTarget,
  status: number,
  { headers }: Classification,
  response: ErrorResponse,
  getChallenge: GetChallenge,
): void {
  setHeaders(target, headers)
  if (response.headers) setHeaders(target, response.headers)
  if (status === 401 && !target.hasHeader('WWW-Authenticate')) {
    const challenge = getChallenge()
    if (challenge !== undefined) target.setHeader('WWW-Authenticate', challenge)
  }
}
