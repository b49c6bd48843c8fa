import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Environment, readConfig } from '../src/config.ts'
import { signingSecret } from '../src/config-values.ts'
import { fillOutbox } from '../src/domain/outbox.ts'
import { startSender } from '../src/process/webhooks.ts'

import { emptyDatabase, onEveryDatabase, type Service, startService } from './service.ts'

interface Told {
  type: string
  timestamp: string
  data: { href: string }
}

interface Message {
  id: string
  told: Told
}

const secret = `whsec_${randomBytes(32).toString('base64')}`

/** A receiver that checks each signature with the library of Standard Webhooks. */
const receiver = { messages: [] as Message[], answers: [] as number[] }
const server = createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const told = new Webhook(secret).verify(body, req.headers as Record<string, string>) as Told
  receiver.messages.push({ id: String(req.headers['webhook-id']), told })
  res.writeHead(receiver.answers.shift() ?? 204, { location: '/elsewhere' }).end()
})
const url = await listen(server)
afterAll(() => server.close())
beforeEach(() => {
  receiver.messages.length = 0
  receiver.answers.length = 0
})

const told = (): Told[] => receiver.messages.map((message) => message.told)
const env: Environment = { SVC_WEBHOOK_URL: url, SVC_WEBHOOK_SECRET: secret }
const employee = { name: 'Ada', department: 'Sales', salary: 1 }

async function waiting({ running }: Service): Promise<Record<string, unknown>[]> {
  return await running.database.all('select * from "webhook_messages"')
}

/** A service on an empty database of the same kind. No process fills or sends its outbox. */
async function another({ running }: Service): Promise<Service> {
  const isPostgres = running.database.dialect === 'postgres'
  const service = await startService(isPostgres ? { DATABASE_URL: await emptyDatabase() } : {})
  await fillOutbox(service.running.database, true)
  await service.check({ as: 'ada', method: 'POST', path: '/employees', json: employee }, { status: 201 })
  return service
}

function listen(own: Server): Promise<string> {
  return new Promise((resolve) => {
    own.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(own.address() as AddressInfo).port}/hook`))
  })
}

onEveryDatabase(
  'changes are told',
  (service) => {
    test('6-events a receiver is told what was created, changed and deleted, and where', async () => {
      const made = await service.check(
        { as: 'ada', method: 'POST', path: '/employees', json: employee },
        { status: 201 },
      )
      const path = String(made.headers['location'])
      await service.check({ as: 'ada', method: 'PATCH', path, json: { salary: 2 } }, { status: 200 })
      await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
      await expect.poll(told).toHaveLength(3)
      expect(told()).toEqual(
        ['created', 'updated', 'deleted'].map((verb) => ({
          type: `employee.${verb}`,
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          data: { href: path },
        })),
      )
      expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(3)
      await expect.poll(() => waiting(service)).toEqual([])
    })

    test('what a rule of the business changes beside its item is told too', async () => {
      const items = [{ productId: 1, quantity: 1 }]
      const json = { customerId: 1, items }
      const made = await service.check({ as: 'ada', method: 'POST', path: '/orders', json }, { status: 201 })
      const path = String(made.headers['location'])
      await service.check(
        {
          as: 'ada',
          method: 'POST',
          path: `${path}/payment`,
          json: { method: 'CARD' },
          headers: { 'idempotency-key': '"pay"' },
        },
        { status: 201 },
      )
      await expect.poll(told).toContainEqual(expect.objectContaining({ type: 'order.updated', data: { href: path } }))
      await expect.poll(told).toContainEqual(expect.objectContaining({ type: 'payment.created' }))
      await expect.poll(told).toContainEqual(expect.objectContaining({ type: 'product.updated' }))
    })

    test('what was refused and rolled back is not told', async () => {
      const json = { fromAccountId: 1, toAccountId: 2, amount: { amount: '99999999.00', currency: 'EUR' } }
      const headers = { 'idempotency-key': '"too much"' }
      await service.check({ as: 'ada', method: 'POST', path: '/transfers', json, headers }, { status: 422 })
      expect(await waiting(service)).toEqual([])
      expect(told()).toEqual([])
    })

    test('a message that was not received comes again under the same id, and is given up in the end', async () => {
      const own = await another(service)
      const { database, log } = own.running
      receiver.answers.push(500, 302)
      const webhook = { url, secret: signingSecret(secret) }
      const sender = startSender({ database, webhook, publicUrl: 'https://svc.example', log, pauses: [0] })
      await expect.poll(() => waiting(own)).toEqual([expect.objectContaining({ attempts: 2, dueAt: null })])
      await sender.stop()
      await own.running.stop()
      expect(receiver.messages).toHaveLength(2)
      expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id)
      expect(told()[0]?.data.href).toMatch(/^https:\/\/svc\.example\/employees\/\d+$/)
    })

    test('changes of the same millisecond are told in their order', async () => {
      const own = await another(service)
      const { database, log } = own.running
      const call = { as: 'ada', path: String((await waiting(own))[0]?.['path']) }
      for (let salary = 2; salary <= 12; salary++)
        await own.check({ ...call, method: 'PATCH', json: { salary } }, { status: 200 })
      await own.check({ ...call, method: 'DELETE' }, { status: 204 })
      // SQLite has no clock that is finer.
      if (database.dialect === 'sqlite')
        await database.run('update "webhook_messages" set "dueAt" = (select min("dueAt") from "webhook_messages")', [])
      const sender = startSender({ database, webhook: { url, secret: signingSecret(secret) }, publicUrl: '', log })
      await expect.poll(told).toHaveLength(13)
      await sender.stop()
      await own.running.stop()
      const updates = Array.from({ length: 11 }, () => 'employee.updated')
      expect(told().map(({ type }) => type)).toEqual(['employee.created', ...updates, 'employee.deleted'])
    })

    test('a message whose sender was stopped in the middle waits for the next one', async () => {
      const own = await another(service)
      const { database, log } = own.running
      const silent = createServer()
      const webhook = { url: await listen(silent), secret: signingSecret(secret) }
      const asked = new Promise((resolve) => silent.once('request', resolve))
      const sender = startSender({ database, webhook, publicUrl: '', log })
      await asked
      await sender.stop()
      expect(await waiting(own)).toEqual([expect.objectContaining({ attempts: 1, dueAt: expect.any(String) })])
      await own.running.stop()
      silent.close()
    })
  },
  env,
)

test('nothing is kept where nobody is to be told', async () => {
  const service = await startService()
  await service.check({ as: 'ada', method: 'POST', path: '/employees', json: employee }, { status: 201 })
  expect(await waiting(service)).toEqual([])
  await service.running.stop()
})

test('of two processes on one database each message is sent by one', async (context) => {
  const DATABASE_URL = await emptyDatabase()
  if (!DATABASE_URL) return context.skip('PostgreSQL is not installed')
  const services = [await startService({ ...env, DATABASE_URL }), await startService({ ...env, DATABASE_URL })]
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      services[at % 2]?.check({ as: 'ada', method: 'POST', path: '/employees', json: employee }, { status: 201 }),
    ),
  )
  await expect.poll(() => receiver.messages.length).toBe(40)
  for (const { running } of services) await running.stop()
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(40)
})

describe('settings', () => {
  test.each([
    [{ SVC_WEBHOOK_URL: 'https://example.com/hook' }, 'SVC_WEBHOOK_URL, SVC_WEBHOOK_SECRET  one of them is missing'],
    [{ SVC_WEBHOOK_SECRET: secret }, 'one of them is missing'],
    [
      { SVC_WEBHOOK_URL: 'http://example.com/', SVC_WEBHOOK_SECRET: secret },
      'must be an https URL, or http on loopback',
    ],
    [{ SVC_WEBHOOK_URL: 'https://a:b@example.com/', SVC_WEBHOOK_SECRET: secret }, 'must not contain credentials'],
    [{ SVC_WEBHOOK_URL: 'https://example.com/', SVC_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }, '24 to 64 bytes in base64'],
  ])('%j is refused', (given, message) => {
    expect(() => readConfig(given as Environment)).toThrow(message)
  })

  test('a secret is not shown in a problem', () => {
    expect(() => readConfig({ SVC_WEBHOOK_SECRET: 'my-secret' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('my-secret') }),
    )
  })
})
