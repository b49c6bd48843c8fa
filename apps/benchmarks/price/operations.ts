import type { Server } from 'node:http'
import { batchSender, fetchEtag, type SendBatch } from '../harness/in-process.ts'
import { FEW, MISSING, ONE, PAGES } from '../http/requests.ts'

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
  const rejected = format(ONE, { authorization: 'Bearer abc.def.ghi' })
  const requests = (paths: readonly string[]): string[] => paths.map((path) => format(path))
  return {
    'GET one': batchSender(server, requests(FEW), 200),
    'GET page': batchSender(server, requests(PAGES), 200),
    'GET one, 304': batchSender(server, again, 304),
    'GET one, 401': batchSender(server, [rejected], 401),
    'GET one, 404': batchSender(server, requests(MISSING), 404),
    'GET one, 406': batchSender(server, [format(ONE, { accept: 'image/png' })], 406),
  }
}
