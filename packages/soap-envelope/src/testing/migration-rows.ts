import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Contract, type ServiceSettings, type SoapService, soap, soapService } from '@svc/soap-envelope'
import { afterEach, expect, type TestContext, test } from 'vitest'
import { market, marketOperations } from './market.ts'

/** Runs what a row says on both sides, by the left cell of the row. */
export type Rows = Readonly<Record<string, (context: TestContext) => void | Promise<void>>>

/**
 * Declares a test for each row of a table in docs/migrating.md, and one that no row lacks a test.
 */
export function testRows(section: string, rows: Rows): void {
  test(`the table of ${section} has a test for each row`, () => {
    const page = readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8')
    const part = page.split(/^## /m).find((text) => text.startsWith(`${section}\n`)) ?? ''
    const cells = [...part.matchAll(/^\| (.*?) \| .* \|$/gm)].map(([, cell]) => cell)
    expect(cells.slice(1)).toEqual(Object.keys(rows))
  })

  test.for(Object.entries(rows))('%s', ([, check], context) => check(context))
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a server until the test ends. Returns its address. */
export async function start(
  listener?: RequestListener,
): Promise<{ url: string; server: ReturnType<typeof createServer> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** A service of this package, and the HTTP requests that it received. */
export interface Ours {
  url: string
  service: SoapService
  requests: IncomingMessage[]
}

/** Starts a service of the market. Header blocks are optional unless the settings say otherwise. */
export async function startOurs(
  settings: ServiceSettings = {},
  operations = marketOperations,
  wsdl: Contract = market,
): Promise<Ours> {
  const service = soapService({ wsdl, operations, requireHeaders: false, attachments: {}, ...settings })
  const middleware = soap(service)
  const requests: IncomingMessage[] = []
  const { url } = await start((req, res) => {
    requests.push(req)
    middleware(req, res, () => res.end())
  })
  return { url: `${url}/market`, service, requests }
}
