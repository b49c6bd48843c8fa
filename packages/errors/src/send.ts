import { drainRequest } from '../../internal/drain-request.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { addErrorHeaders } from './add-error-headers.ts'
import type { GetChallenge } from './challenge.ts'
import { abort } from './connection.ts'
import type { ErrorContext } from './error-context.ts'
import { removeContentHeaders } from './error-headers.ts'
import { addVary, type HeaderList } from './header-list.ts'
import type { ErrorResponse } from './options.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/**
 * Ends a response with an error, without the headers of the failed content. `list` has the headers
 * of every error. HEAD gets the headers and no body.
 */
export function send(
  context: ErrorContext,
  response: ErrorResponse,
  list: HeaderList,
  getChallenge: GetChallenge,
): void {
  const { req, res } = context
  if (res.headersSent || res.destroyed) return
  try {
    const { body } = response
    drainRequest(req, res)
    writeHead(context, response, list, getChallenge)
    // Node.js sends a text in one piece with the headers, and bytes in a second one.
    res.end(req.method === 'HEAD' ? undefined : body)
  } catch {
    abort(res) // a listener of the response threw, so it cannot be completed
  }
}

// Over HTTP/2 Node.js rejects a response with one of these (RFC 9113 §8.2.2). Transfer-Encoding is
// removed with the headers about the content.
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'upgrade']

function writeHead(context: ErrorContext, response: ErrorResponse, list: HeaderList, getChallenge: GetChallenge): void {
  const { req, res, classification } = context
  const status = isErrorStatus(response.status) ? response.status : classification.status
  const { reason } = getStatusDefaults(status)
  const isHttp2 = req.httpVersionMajor > 1
  const names = res.getHeaderNames()
  // Other middleware that has replaced a method of the response wants to see or change its headers:
  // some versions of on-headers cannot read a list.
  const isIntercepted = Object.hasOwn(res, 'writeHead') || Object.hasOwn(res, 'setHeader')
  if (names.length === 0 && !isHttp2 && !isIntercepted) {
    addErrorHeaders(list, status, classification, response, getChallenge)
    list.setHeader('Content-Length', Buffer.byteLength(response.body))
    res.writeHead(status, reason, list.flat)
    return
  }
  removeContentHeaders(res, names)
  setCommonHeaders(res, list)
  addErrorHeaders(res, status, classification, response, getChallenge)
  res.setHeader('Content-Length', Buffer.byteLength(response.body))
  res.statusCode = status
  // HTTP/2 has no reason phrase, and Node.js warns if one is set.
  if (!isHttp2) res.statusMessage = reason
  else for (const name of CONNECTION_HEADERS) res.removeHeader(name)
}

/** Sets the headers of every error. What the app has set on this response stays. */
function setCommonHeaders(res: ServerResponse, { flat, keys }: HeaderList): void {
  for (const [index, key] of keys.entries()) {
    const value = flat[2 * index + 1] ?? ''
    if (key === 'vary') addVary(res, value)
    else if (!res.hasHeader(key)) res.setHeader(String(flat[2 * index]), value)
  }
}
