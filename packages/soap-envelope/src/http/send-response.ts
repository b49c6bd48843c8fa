import { pipeline, Readable } from 'node:stream'
import { drainRequest } from '../../../internal/drain-request.ts'
import type { IncomingMessage, ServerResponse } from '../../../internal/middleware.ts'
import type { SoapResponse } from '../service/request.ts'

/** HTTP headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>

const NO_HEADERS: readonly ResponseHeaders[] = []

/**
 * A text up to here goes out in one piece with its header section, and costs one system call less.
 */
const ONE_WRITE_BYTES = 8192

/**
 * Sends the response of a service. `common` are headers of every response: later ones override
 * earlier ones, and those of the response override all. Does nothing if the headers were already
 * sent.
 */
export function sendSoapResponse(
  req: IncomingMessage,
  res: ServerResponse,
  response: SoapResponse,
  common: readonly ResponseHeaders[] = NO_HEADERS,
): void {
  const { status, body, pieces } = response
  if (res.headersSent || res.destroyed) return drop(pieces)
  const length = pieces === undefined ? Buffer.byteLength(body) : measure(pieces)
  // The items of a streamed response may be those of its request, which are still arriving.
  if (length !== undefined) drainRequest(req, res)
  const headers = listHeaders(response, length, common)
  // Where other middleware watches the headers, on-headers before 1.1 may be in it, which corrupts
  // lists (CVE-2025-7339).
  if (Object.hasOwn(res, 'writeHead')) setEach(res, status, headers)
  else {
    try {
      res.writeHead(status, headers)
    } catch {
      setEach(res, status, headers)
    }
  }
  if (req.method === 'HEAD' || length === 0) res.end()
  else if (pieces) pipeline(Readable.from(pieces, { objectMode: true }), res, () => {})
  else res.end((length ?? 0) > ONE_WRITE_BYTES ? Buffer.from(body) : body)
}

/** Ends the iteration of items that are not sent, such as the rows of a cursor. */
function drop(pieces: SoapResponse['pieces']): void {
  if (!pieces || !(Symbol.asyncIterator in pieces)) return
  Promise.resolve(pieces[Symbol.asyncIterator]().return?.()).catch(() => {})
}

/** Lists names and values in turn: each name once, whatever its case. */
function listHeaders(
  { status, headers }: SoapResponse,
  length: number | undefined,
  common: readonly ResponseHeaders[],
): string[] {
  const list = ['X-Content-Type-Options', 'nosniff']
  if (length !== undefined && status !== 204 && status !== 304) list.push('Content-Length', String(length))
  for (let index = common.length; index >= 0; index--) {
    const source = index === common.length ? headers : (common[index] ?? {})
    names: for (const name in source) {
      // Most names differ in length, which costs less to compare than names in lower case.
      for (let place = 0; place < list.length; place += 2) {
        const other = list[place] ?? ''
        if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) continue names
      }
      list.push(name, source[name] ?? '')
    }
  }
  return list
}

/** The length of a body in pieces; `undefined` for one whose items are streamed. */
function measure(pieces: NonNullable<SoapResponse['pieces']>): number | undefined {
  if (Symbol.asyncIterator in pieces) return undefined
  return pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}

/**
 * Errors of other packages bring headers too: one that HTTP cannot carry is omitted, and the fault
 * is sent.
 */
function setEach(res: ServerResponse, status: number, list: readonly string[]): void {
  res.statusCode = status
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] ?? ''
    try {
      res.setHeader(name, list[index + 1] ?? '')
    } catch {
      res.removeHeader(name)
    }
  }
}
