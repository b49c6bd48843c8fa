import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeRecord } from '../../packages/internal/record.ts'
import { hosts, type Pipeline } from '../../packages/internal/testing/hosts.ts'

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

/** A line for each field of each answer: `ratelimit 429: retry-after: 60`. Fields are promised like types are. */
export async function fieldLines(name: string, { cases, ...pipeline }: Answers): Promise<string[]> {
  const host = hosts['node:http']?.({
    onError: (error, req, res) => writeRecord(req, res, error as never),
    ...pipeline,
  })
  const server = createServer(host).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const lines: string[] = []
    for (const each of cases) lines.push(...(await linesOf(name, url, each)))
    return lines
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function linesOf(name: string, url: string, { name: title, path = '/', ...request }: Case): Promise<string[]> {
  const response = await fetch(url + path, request)
  await response.arrayBuffer()
  if (!title.startsWith(String(response.status)))
    throw new Error(`${name}: ${title} is answered with ${response.status}`)
  const fields = [...response.headers].filter(([field]) => !OF_THE_HOST.test(field))
  return fields.map(([field, value]) => `${name} ${title}: ${field}: ${value}\n`)
}

const OF_THE_HOST = /^(connection|content-length|date|keep-alive|transfer-encoding)$/
