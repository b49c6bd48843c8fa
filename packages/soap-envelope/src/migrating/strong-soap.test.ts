import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatEnvelope, parseEnvelope } from '@svc/soap-envelope'
import { loadContract, soapClient } from '@svc/soap-envelope/client'
import { afterAll, expect } from 'vitest'
import { FOUND, MARKET, market, marketWsdl } from '../testing/market.ts'
import { start, startOurs, testRows } from '../testing/migration-rows.ts'

// docs/migrating.md, row by row: strong-soap itself does what the left cell says. It brings no
// types.
interface StrongSoap {
  createClient(url: string, options: object, done: (error: unknown, client: StrongClient) => void): void
  listen(server: Server, path: string, services: object, wsdl: string): void
  WSDL: { open(file: string, options: object, done: (error: unknown, wsdl: StrongWsdl) => void): void }
  XMLHandler: new () => {
    jsonToXml(node: null, namespaces: null, descriptor: unknown, value: object): { end(): string }
    xmlToJson(namespaces: null, xml: string, descriptor: unknown): unknown
  }
}
interface StrongClient {
  find(input: object, done: (error: unknown, output: StrongOutput) => void): void
}
interface StrongOutput {
  id: unknown
  item: { price: object }[]
}
interface StrongWsdl {
  definitions: {
    bindings: Record<string, { operations: Record<string, { describe(definitions: unknown): StrongOperation }> }>
  }
}
interface StrongOperation {
  input: { body: unknown }
}

const { soap } = createRequire(import.meta.url)('strong-soap') as { soap: StrongSoap }

const connect = (url: string): Promise<StrongClient> =>
  new Promise((resolve, reject) =>
    soap.createClient(`${url}?wsdl`, {}, (error, client) => (error ? reject(error) : resolve(client))),
  )
const open = (file: string): Promise<StrongWsdl> =>
  new Promise((resolve, reject) => soap.WSDL.open(file, {}, (error, wsdl) => (error ? reject(error) : resolve(wsdl))))
const call = (client: StrongClient, input: object): Promise<StrongOutput> =>
  new Promise((resolve, reject) => client.find(input, (error, output) => (error ? reject(error) : resolve(output))))

const folder = mkdtempSync(join(tmpdir(), 'svc-migrating-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'market.wsdl')
writeFileSync(file, marketWsdl)

const ITEM = { sku: 'A-1' }
const THEIR_PRICE = { $attributes: { currency: 'EUR' }, $value: '0.10' }

testRows('strong-soap', {
  '`services.Service.Port.find = (args, callback) => callback({ Found: … })`': async () => {
    const { url, server } = await start()
    // Its services write no attributes of elements that have text.
    const output = { ...FOUND, item: [] }
    const Found = { id: String(FOUND.id), note: null, mail: 'a@example.com', phone: '1' }
    const find = (_: unknown, callback: (output: object) => void): void => callback({ Found })
    soap.listen(server, '/P11', { Market: { P11: { find } } }, marketWsdl)
    const ours = await startOurs({}, { find: () => output })
    for (const endpoint of [`${url}/P11`, ours.url])
      expect(await soapClient(market, { endpoint, version: '1.1' }).call('find', ITEM)).toEqual(output)
  },

  '`soap.createClient(url, options, callback)`': async () => {
    const { url } = await startOurs()
    expect(await call(await connect(url), { Find: ITEM })).toMatchObject({ item: [{ name: 'Screw' }], note: null })
    const client = soapClient(await loadContract(`${url}?wsdl`))
    expect(await client.call('find', ITEM)).toMatchObject({ item: [{ name: 'Screw' }], note: null })
  },

  '`client.find({ Find: { sku } }, callback)`': async () => {
    const { url } = await startOurs()
    const theirs = await connect(url)
    await call(theirs, { Find: ITEM })
    await expect(call(theirs, ITEM)).rejects.toThrow(/does not contain an operation of this service/)
    const ours = soapClient(market, { endpoint: url })
    await ours.call('find', ITEM)
    await expect(ours.call('find', { Find: ITEM })).rejects.toThrow(TypeError)
  },

  'a `long` is a number, rounded above 2^53': async () => {
    const { url } = await startOurs()
    expect((await call(await connect(url), { Find: ITEM })).id).toBe(9007199254740992)
    const { id } = FOUND
    expect(await soapClient(market, { endpoint: url }).call('find', ITEM)).toMatchObject({ id })
  },

  '`{ $attributes: { currency }, $value }`': async () => {
    const { url } = await startOurs()
    expect((await call(await connect(url), { Find: ITEM })).item[0]?.price).toEqual(THEIR_PRICE)
    const [item] = FOUND.item
    expect(await soapClient(market, { endpoint: url }).call('find', ITEM)).toMatchObject({ item: [item] })
  },

  '`WSDL.open(file, options, callback)`': async () => {
    const { definitions } = await open(file)
    expect(Object.keys(definitions.bindings['B11']?.operations ?? {})).toEqual(['find'])
    expect([...(await loadContract(file)).operations.keys()]).toEqual(['find'])
  },

  '`XMLHandler`: `jsonToXml`, `xmlToJson`': async () => {
    const { definitions } = await open(file)
    const descriptor = definitions.bindings['B11']?.operations['find']?.describe(definitions).input.body
    const handler = new soap.XMLHandler()
    const theirs = handler.jsonToXml(null, null, descriptor, { Find: ITEM }).end()
    const ours = market.schema.encode({ uri: MARKET, local: 'Find' }, ITEM)
    for (const xml of [theirs, ours]) {
      expect(handler.xmlToJson(null, xml, descriptor)).toEqual({ Find: ITEM })
      const { body } = await parseEnvelope(Buffer.from(formatEnvelope({ body: xml })))
      expect(body && market.schema.decode(body)).toEqual(ITEM)
    }
  },
})
