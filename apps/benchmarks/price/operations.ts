import type { Server } from 'node:http'
import { batchSender, fetchEtag, type SendBatch } from '../harness/in-process.ts'
import { FEW, PAGES } from '../http/requests.ts'

/**
 * As long as a token of the reference server: a server that does not check it parses the same
 * headers.
 */
export const UNCHECKED_TOKEN = { authorization: `Bearer ${'x'.repeat(1260)}` }

/** Requests whose price is checked, as batches by name. */
export async function operationsOn(
  server: Server,
  headers: Record<string, string>,
): Promise<Record<string, SendBatch>> {
  const format = (path: string, more: Record<string, string> = {}): string => {
    const all = { host: 'localhost', accept: 'application/hal+json', ...headers, ...more }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  }
  const again: string[] = []
  for (const path of FEW) again.push(format(path, { 'if-none-match': await fetchEtag(server, format(path)) }))
  return {
    'GET one': batchSender(
      server,
      FEW.map((path) => format(path)),
      200,
    ),
    'GET page': batchSender(
      server,
      PAGES.map((path) => format(path)),
      200,
    ),
    'GET one, 304': batchSender(server, again, 304),
  }
}
