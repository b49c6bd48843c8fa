import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Failure } from '../../packages/internal/failure.ts'
import { writeRecord } from '../../packages/internal/record.ts'
import { announceErrors } from '../../packages/internal/refuse.ts'
import { hosts, type Pipeline } from '../../packages/internal/testing/hosts.ts'

announceErrors() // so that each package hands its refusals to `onError`, wherever it stands

/** A request, and what its answer is called in the report: its status, and what is special about it. */
export interface Case {
  name: `${number}${'' | ` ${string}`}`
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** What a package answers in its main situations: it alone on node:http, and requests in their order. */
export interface Answers extends Pipeline {
  cases: readonly Case[]
}

/** A line for each field of each answer, and for its code: `ratelimit 429: retry-after: 60`. They are promised like types. */
export async function fieldLines(name: string, { cases, onError = writeIt, ...pipeline }: Answers): Promise<string[]> {
  const codes: string[] = []
  const host = hosts['node:http']?.({
    ...pipeline,
    onError: (error, ...others) => {
      codes.push((error as Failure).code)
      onError(error, ...others)
    },
  })
  const server = createServer(host).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: string[] = []
  try {
    for (const each of cases) {
      const fields = await fieldsOf(url, each)
      const code = codes.pop()
      lines.push(...[...(code ? [`code ${code}`] : []), ...fields].map((line) => `${name} ${each.name}: ${line}\n`))
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return lines
}

async function fieldsOf(url: string, { name, path = '/', ...request }: Case): Promise<string[]> {
  const response = await fetch(url + path, request)
  await response.arrayBuffer()
  if (!name.startsWith(String(response.status))) throw new Error(`${url}: ${name} is answered with ${response.status}`)
  const fields = [...response.headers].filter(([field]) => !OF_THE_HOST.test(field))
  return fields.map(([field, value]) => `${field}: ${value}`)
}

const OF_THE_HOST = /^(connection|content-length|date|keep-alive|transfer-encoding)$/

function writeIt(error: unknown, req: IncomingMessage, res: ServerResponse): void {
  writeRecord(req, res, error as Failure)
}
