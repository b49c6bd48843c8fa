import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { soapClient } from '@svc/soap-envelope/client'
import nodeSoap from 'soap'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { needTool } from '../../../internal/testing/programs.ts'
import { FOUND, MARKET, market, marketWsdl, NODE_SOAP_FOUND } from '../testing/market.ts'

// The client of this package calls services of others. The first word of a title is a cell of the
// table of clients.
const php = needTool('PHP', ['php'], ['-r', 'exit(class_exists("SoapServer") ? 0 : 1);'])

const ITEM = { sku: 'A-1' }
const SESSION = { inputHeaders: { session: { token: 't' } } }

/** Calls `find` for an item that there is and for one that there is not. */
async function callMarket(endpoint: string) {
  const client = soapClient(market, { endpoint, version: '1.1' })
  const reply = await client.send('find', ITEM, SESSION)
  const error: unknown = await client.call('find', { sku: 'B-2' }, SESSION).catch((error: unknown) => error)
  const echo = reply.envelope?.headers.find(({ element }) => element.local === 'Echo')
  return { output: reply.output, echo: echo?.element.text, fault: client.declaredFault('find', error) }
}

/** Starts PHP with its own web server, which takes no port 0. */
async function startPhp(context: TestContext): Promise<string> {
  if (!php) return context.skip('PHP with SoapServer is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'svc-php-'))
  const wsdl = join(folder, 'market.wsdl')
  writeFileSync(wsdl, marketWsdl)
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const script = fileURLToPath(new URL('../testing/php_service.php', import.meta.url))
  const server = spawn(php, ['-S', `127.0.0.1:${port}`, script], {
    env: { ...process.env, MARKET_WSDL: wsdl },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })
  for await (const line of server.stderr) if (String(line).includes('started')) break
  return `http://127.0.0.1:${port}/`
}

/** Starts a service of node-soap, which finds it by the path in the WSDL. */
async function startNodeSoap(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const find = ({ sku }: { sku: string }): unknown => {
    const detail = { NoSuch: { attributes: { xmlns: MARKET }, sku } }
    if (sku !== 'A-1') throw { Fault: { faultcode: 'soap:Client', faultstring: 'No such item.', detail } }
    return NODE_SOAP_FOUND
  }
  const served = nodeSoap.listen(server, '/P11', { Market: { P11: { find } } }, marketWsdl)
  served.addSoapHeader(
    (_: string, __: unknown, headers: { Session: { token: string } }) =>
      `<Echo xmlns="${MARKET}">${headers.Session.token}</Echo>`,
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/P11`
}

const NO_SUCH = { name: 'NoSuch', value: { sku: 'B-2' } }

test('PHP-service/call gets a request and sends what the contract says', async (context) => {
  expect((await callMarket(await startPhp(context))).output).toEqual(FOUND)
})

test('PHP-service/fault sends a declared fault with its fields', async (context) => {
  expect((await callMarket(await startPhp(context))).fault).toEqual(NO_SUCH)
})

test('PHP-service/header receives a block of the contract and sends one', async (context) => {
  expect((await callMarket(await startPhp(context))).echo).toBe('t')
})

test('node-soap-service/call gets a request and sends what the contract says', async () => {
  expect((await callMarket(await startNodeSoap())).output).toEqual(FOUND)
})

test('node-soap-service/fault sends a declared fault with its fields', async () => {
  expect((await callMarket(await startNodeSoap())).fault).toEqual(NO_SUCH)
})

test('node-soap-service/header receives a block of the contract and sends one', async () => {
  expect((await callMarket(await startNodeSoap())).echo).toBe('t')
})
