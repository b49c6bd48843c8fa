import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Code } from '../messages/codes.ts'
import { lingeringClose, type ParserError } from './pipelining.ts'
import { parseTargetPath } from './request-target.ts'

type ErrorResponse = readonly [status: number, reason: string, code: Code, message: string]

const BY_CODE: Readonly<Record<string, ErrorResponse>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'HEADERS_TOO_LARGE', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'BODY_TOO_LARGE', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
}
const UNKNOWN_METHOD: ErrorResponse = [501, 'Not Implemented', 'NOT_IMPLEMENTED', 'The method is not supported.']
const NOT_HTTP: ErrorResponse = [400, 'Bad Request', 'MALFORMED_REQUEST', 'The request is not valid HTTP.']

/** Writes the Error record for bytes that never reach the app, then closes the connection. */
export function writeParserError(
  error: ParserError,
  req: IncomingMessage | undefined,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  const target = req?.url ?? findTarget(error)
  const isMethod = error.code === 'HPE_INVALID_METHOD' && target !== undefined
  const [status, reason, code, message] = isMethod ? UNKNOWN_METHOD : (BY_CODE[error.code ?? ''] ?? NOT_HTTP)
  const now = new Date()
  const path = target === undefined ? '' : parseTargetPath(target)
  const body = JSON.stringify({ timestamp: now.toISOString(), status, error: reason, message, path, code })
  const lines = Object.entries({
    ...headers,
    Date: now.toUTCString(),
    'X-Correlation-ID': randomUUID(),
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`)
  lingeringClose(socket)
}

const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]+ (\S+) HTTP\/1\.[01]$/
// A request line that directly follows a body, which need not end with a line break.
const AFTER_BODY = /[^!#$%&'*+.^`|~\w-][!#$%&'*+.^`|~\w-]+ (\S+) HTTP\/1\.[01]$/

/** Finds the target of the request that the parser was reading, if its line is in the last packet. */
function findTarget({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  if (!rawPacket) return undefined
  const text = rawPacket.toString('latin1')
  const lines = code === 'HPE_INVALID_METHOD' ? [lineAt(text, bytesParsed)] : linesBefore(text, bytesParsed)
  for (const pattern of [REQUEST_LINE, AFTER_BODY])
    for (const line of lines) {
      const target = pattern.exec(line)?.[1]
      if (target !== undefined) return target
    }
  return undefined
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const [line = ''] = text.slice(start).split(/\r?\n/, 1)
  return line
}

/** The whole lines of the message at an offset, latest first. An empty line belongs to the message before. */
function linesBefore(text: string, offset: number): string[] {
  const lines = text.slice(0, offset).split(/\r?\n/).slice(0, -1).reverse()
  const end = lines.indexOf('')
  return end === -1 ? lines : lines.slice(0, end)
}
