import type { IncomingMessage, Middleware } from '../../../../packages/internal/middleware.ts'
import { failure } from '../messages/errors.ts'

/** uri-host [":" port] (RFC 9110 §7.2, RFC 3986 §3.2.2). The IPv6 address itself is not checked. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** Rejects requests whose Host, target or Expect header is not valid HTTP: 400 and 417 (RFC 9112 §3.2, RFC 9110 §10.1.1). */
export function requestHead(): Middleware {
  return (req, _res, next) => {
    const { url = '/', method, headers } = req
    const isHttp11 = req.httpVersion === '1.1'
    if (countHosts(req) > 1 || !isValidHost(headers.host, isHttp11)) return next(failure('MALFORMED_HOST'))
    if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) return next(failure('MALFORMED_URI.form'))
    if (isHttp11 && headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      return next(failure('EXPECTATION_FAILED'))
    next()
  }
}

function isValidHost(host: string | undefined, isRequired: boolean): boolean {
  return host === undefined ? !isRequired : HOST.test(host)
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') count++
  return count
}
