import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../../../packages/internal/testing/check.ts'
import { readConfig } from '../../src/config.ts'
import { collections, documents } from '../../src/domain/collections.ts'
import { apiVersions } from '../../src/domain/versions.ts'
import { compileCollections } from '../../src/engine/compiled-collection.ts'
import { cursors } from '../../src/engine/cursor.ts'
import { pipeline } from '../../src/http/pipeline.ts'
import { createServices } from '../../src/http/services.ts'
import { soapEndpoints } from '../../src/http/soap/endpoints.ts'
import { createUserCaller } from '../../src/security/caller.ts'
import { onEveryDatabase } from '../service.ts'

const V1 = 'http://svc.example/ws/customer/v1'
const message = (body: string): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${body}</e:Body></e:Envelope>`
const ADA = {
  id: 1,
  subject: 'user:ada',
  username: 'ada',
  roles: ['admin'] as const,
  customerId: undefined,
  passwordHash: '',
  soapSecret: undefined,
}

onEveryDatabase('a SOAP message that takes too long', (service) => {
  let server: Server
  let url = ''
  beforeAll(async () => {
    const { database } = service.running
    const config = readConfig({})
    const services = await createServices(config, database)
    const shapes = compileCollections({
      collections,
      documents,
      versions: apiVersions,
      dialect: database.dialect,
      cursors: cursors('key'),
    })
    const parts = { config, database, services, shapes, log: pino({ level: 'silent' }), deadlineMs: 50 }
    const site = { publicUrl: '', versions: [], users: [], additions: [], findMethods: () => [], canGet: () => true }
    const { respond } = soapEndpoints(parts, site)
    const handle = pipeline({
      stages: [
        (state) => {
          state.caller = createUserCaller(ADA)
          return respond(state)
        },
      ],
    })
    server = createServer((req, res) => handle(req, res, () => res.destroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server?.close())

  /** Has the tables to itself while something is done. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    return service.running.database.transaction(async (tx) => {
      // In the order in which a new customer comes by them.
      if (tx.dialect === 'postgres')
        await tx.run('lock table "customer_ids", "customers", "notifications" in access exclusive mode')
      return work()
    })
  }
  const countOf = async (table: string, column: string, value: string): Promise<number> => {
    const sql = `select "${column}" from "${table}" where "${column}" = ?`
    return (await service.running.database.all(sql, [value])).length
  }

  test.each([
    [
      'createCustomer',
      `<CreateCustomerRequest xmlns="${V1}"><customer><id>880001</id><name>late</name><email>late@example.com</email></customer></CreateCustomerRequest>`,
      ['customers', 'name', 'late'],
    ],
    [
      'sendNotification',
      `<SendNotificationRequest xmlns="${V1}"><message>too late</message></SendNotificationRequest>`,
      ['notifications', 'message', 'too late'],
    ],
  ] as const)('%s is answered by a fault, and nothing of it is kept', async (_name, body, [table, column, value]) => {
    const headers = { 'content-type': 'application/soap+xml; charset=utf-8' }
    const call = { method: 'POST', path: '/ws/customer', headers, body: message(body) }
    const expected = { 'retry-after': '1', 'content-type': /^application\/soap\+xml/ }
    const late = await alone(() => check(url, call, { status: 503, headers: expected }))
    expect(late.text).toMatch(/<env:Value>env:Receiver<\/env:Value>/)
    expect(late.text).not.toMatch(/lock|sql|timeout/i)
    // What waited has had its turn when this is over.
    await alone(() => Promise.resolve())
    expect(await countOf(table, column, value)).toBe(0)
    expect([200, 202]).toContain((await check(url, call, {})).status)
    expect(await countOf(table, column, value)).toBe(1)
  })
})
