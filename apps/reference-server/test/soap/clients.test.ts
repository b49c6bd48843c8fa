import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClientAsync, WSSecurity } from 'soap'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needTool, run, runOnce } from '../../../../packages/internal/testing/programs.ts'
import { type Service, send, startService } from '../service.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { callStrongSoap, connectStrongSoap } from './strong-soap.ts'

const python = needTool('zeep for Python', ['python3', '/usr/bin/python3'], ['-c', 'import zeep'])
const php = needTool('PHP', ['php'], ['-r', 'exit(class_exists("SoapClient") ? 0 : 1);'])
const xmllint = needTool('xmllint', ['xmllint'], ['--version'])
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

let service: Service
let recorder: Recorder
let carl: { id: number; name: string; email: string }
beforeAll(async () => {
  service = await startService()
  recorder = await startRecorder(service.url)
  carl = JSON.parse((await service.check({ as: 'ada', path: '/customers/1' }, { status: 200 })).text)
})
afterAll(async () => {
  await recorder.close()
  await service.running.stop()
})

const newest = async (path: string, size: number): Promise<Record<string, unknown>[]> =>
  JSON.parse((await service.check({ as: 'ada', path: `${path}?sort=-id&size=${size}` }, { status: 200 })).text).items

const zeep = runOnce('zeep for Python', python, (python) => run(python, [file('client.py'), recorder.url]))

test('zeep/call sends digest and text over both ports and in both versions, with 64 bits and faults', async (context) => {
  const seen = await zeep(context)
  for (const [at, port] of ['CustomerPort', 'CustomerPortSoap11'].entries()) {
    const id = String(9223372036854770000n + BigInt(at))
    expect(seen.get(`${port} customer`)).toEqual([carl.id, carl.name, carl.email])
    expect(seen.get(`${port} created`)).toBe(id)
    expect(seen.get(`${port} big`)).toBe(id)
    expect(seen.get(`${port} event`)).toBeNull()
    expect(seen.get(`${port} message`)).toBeNull()
    expect(seen.get(`${port} phone`)).toBe('+43 1 234')
    expect(seen.get(`${port} price`)).toEqual(['999.00', 'EUR', 'IN_STOCK'])
    const is12 = at === 0
    expect(seen.get(`${port} missing`)).toEqual([is12 ? 'Sender' : 'Client', is12 ? ['NotFound'] : [], true])
    expect(seen.get(`${port} conflict`)).toEqual([is12 ? 'Sender' : 'Client', is12 ? ['Conflict'] : [], true])
    const refused = seen.get(`${port} wrong password`)
    expect(refused).toEqual(is12 ? ['Sender', ['FailedAuthentication'], false] : ['FailedAuthentication', [], false])
    await service.check({ as: 'ada', path: `/customers/${id}` }, { status: 200, body: { id, name: 'Zeep <&> 日' } })
  }
  expect(await newest('/soap-events', 2)).toMatchObject([{ source: 'CustomerPortSoap11' }, { source: 'CustomerPort' }])
  const subject = JSON.parse((await service.check({ as: 'ada', path: '/users/1' }, { status: 200 })).text).subject
  expect(await newest('/notifications', 1)).toMatchObject([{ message: 'from CustomerPortSoap11', subject }])
})

const phpClient = runOnce('PHP with SoapClient', php, (php) => run(php, [file('client.php'), recorder.url]))

test('PHP/call sends the Authentication header in both versions of SOAP', async (context) => {
  const seen = await phpClient(context)
  for (const version of [2, 1]) {
    const name = `SOAP ${version}`
    expect(seen.get(`${name} customer`)).toEqual([carl.id, carl.name, carl.email])
    expect(seen.get(`${name} created`)).toBe(String(9007199254740993n + BigInt(version) * 2n))
    expect(seen.get(`${name} missing`)).toEqual(['404', 'There is no customer with this id.'])
    expect(seen.get(`${name} event`)).toBeNull()
    expect(seen.get(`${name} price`)).toEqual(['999.00', 'EUR', 'IN_STOCK'])
  }
})

test.each(['PasswordText', 'PasswordDigest'])('node-soap/call authenticates with %s', async (passwordType) => {
  const client = await createClientAsync(`${recorder.url}/ws/customer?wsdl`, { forceSoap12Headers: true })
  client.setSecurity(new WSSecurity('ada', 'ada-demo', { passwordType, hasNonce: true, hasTimeStamp: false }))
  const [{ customer }] = await client['getCustomerAsync']({ customerId: 1 })
  expect(customer).toMatchObject({ name: carl.name, email: carl.email })
  await expect(client['getCustomerAsync']({ customerId: 404404 })).rejects.toThrow(/no customer with this id/)
})

test('strong-soap/call authenticates with the header Authentication', async () => {
  const client = await connectStrongSoap(`${recorder.url}/ws/PriceService?wsdl`)
  client.addSoapHeader(
    { Username: 'ada', Password: 'ada-demo' },
    { nsURI: 'http://svc.example/ws/price/v1', name: 'Authentication' },
  )
  const { output } = await callStrongSoap(client, 'GetPrice', { Item: 'Laptop', Category: 'Electronics' })
  expect(JSON.stringify(output)).toContain('999.00')
  expect(JSON.stringify(output)).toContain('IN_STOCK')
})

test('every answer that was recorded is valid against its schema', async (context) => {
  if (!xmllint) return context.skip('xmllint is not installed')
  expect(recorder.answers.length).toBeGreaterThan(python ? 20 : 3)
  const folder = mkdtempSync(join(tmpdir(), 'svc-soap-'))
  const bySchema = new Map<string, string[]>()
  for (const [at, answer] of recorder.answers.entries()) {
    const payload = /<t:(?:ServiceFault|\w+Response)\b.*<\/t:(?:ServiceFault|\w+Response)>/s.exec(answer)?.[0]
    // Faults about header blocks have no detail (SOAP 1.1, 4.4).
    if (!payload) {
      expect(answer).toMatch(/<env:Fault>/)
      continue
    }
    const [, kind, version] = /svc\.example\/ws\/(\w+)\/(v\d)/.exec(payload) ?? []
    const name = join(folder, `${at}.xml`)
    writeFileSync(name, payload)
    const schema = file(`../../src/domain/soap/${kind}-${version}.xsd`)
    bySchema.set(schema, [...(bySchema.get(schema) ?? []), name])
  }
  for (const [schema, names] of bySchema) await run(xmllint, ['--noout', '--nonet', '--schema', schema, ...names])
  rmSync(folder, { recursive: true })
})

test('the documents are there for everybody, with the address that was asked', async () => {
  for (const path of ['/ws/customer', '/ws/PriceService']) {
    const { text, headers } = await send(recorder.url, { path: `${path}?wsdl` })
    expect(text).toContain(`location="${recorder.url}${path}"`)
    expect(headers['x-correlation-id']).toBeDefined()
  }
})
