import { request as ask, createServer, type IncomingMessage, type RequestOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpErrorLike } from '../../packages/internal/http-error.ts'
import { sendErrorRecord } from '../../packages/internal/record.ts'
import { registerErrorHandler } from '../../packages/internal/refuse.ts'
import { hosts, type Pipeline } from '../../packages/internal/testing/hosts.ts'

registerErrorHandler() // so that each package passes its errors to `onError`, in any position

/**
 * A request, and the name of its response in the report: its status, and what is special about it.
 */
export interface Case {
  name: `${number}${'' | ` ${string}`}`
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Responses of a package in its main situations: only the package on node:http, requests in order.
 */
export interface Responses extends Pipeline {
  cases: readonly Case[]
}

/**
 * Returns a line for each header and each code of the responses: `ratelimit 429: retry-after: 60`.
 * They are guaranteed like types.
 */
export async function fieldLines(
  name: string,
  { cases, onError = writeIt, ...pipeline }: Responses,
): Promise<string[]> {
  const codes: string[] = []
  const host = hosts['node:http']?.({
    ...pipeline,
    onError: (error, ...others) => {
      codes.push((error as HttpErrorLike).code)
      onError(error, ...others)
    },
  })
  const server = createServer(host).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: string[] = []
  try {
    for (const each of cases) {
      const fields = await fetchFields(url, each)
      const code = codes.pop()
      lines.push(...[...(code ? [`code ${code}`] : []), ...fields].map((line) => `${name} ${each.name}: ${line}\n`))
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return lines
}

async function fetchFields(url: string, { name, path = '/', body, ...request }: Case): Promise<string[]> {
  const { statusCode, headers } = await send(url + path, request, body)
  if (!name.startsWith(String(statusCode))) throw new Error(`${url}: ${name} returns ${statusCode}`)
  const fields = Object.entries(headers).filter(([field]) => !OF_THE_HOST.test(field))
  return fields.sort(([first], [second]) => (first < second ? -1 : 1)).map(([field, value]) => `${field}: ${value}`)
}

// Opens a connection for each request, so that no response can affect the connection of the next
// one.
function send(url: string, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { ...options, agent: false }, (response) =>
      response.resume().once('end', () => resolve(response)),
    )
    sent.once('error', reject).end(body)
  })
}

const OF_THE_HOST = /^(connection|content-length|date|keep-alive|transfer-encoding)$/

function writeIt(error: unknown, req: IncomingMessage, res: ServerResponse): void {
  sendErrorRecord(req, res, error as HttpErrorLike)
}
