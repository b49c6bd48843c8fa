import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { failure } from '../messages/errors.ts'
import { invalidRequest } from '../security/authenticator.ts'

const MAX_URI = 8192
const MAX_FIELDS = 16_384
const TOKEN_PARAMETERS = /(?:^|&)(?:access_token|token|id_token)=/i

/** Refuses targets and header sections that are too large or malformed, before anything is done with them. */
export function limits(): Middleware {
  return (req, _res, next) => {
    const { url = '/' } = req
    const { path, search } = requestStateOf(req)
    if (url.length > MAX_URI) return next(failure('URI_TOO_LONG.limit', { maxBytes: MAX_URI }))
    if (sizeOf(req.rawHeaders) > MAX_FIELDS) return next(failure('HEADERS_TOO_LARGE.limit', { maxBytes: MAX_FIELDS }))
    if (!isWellFormed(path) || !isWellFormed(search.replaceAll('+', ' '))) return next(failure('MALFORMED_URI'))
    if (TOKEN_PARAMETERS.test(search)) return next(invalidRequest('INVALID_REQUEST.tokenInUri'))
    next()
  }
}

function sizeOf(rawHeaders: readonly string[]): number {
  let size = 0
  for (const text of rawHeaders) size += text.length + 2
  return size
}

function isWellFormed(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch {
    return false
  }
}
