import { AsyncLocalStorage } from 'node:async_hooks'
import type { SoapRequest, SoapResponse, SoapService } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { keepFirst, type Message, tellMessage } from './keep-first.ts'

const request: SoapRequest = { method: 'POST' }
const ACCEPTED: SoapResponse = { status: 202, headers: {}, body: '' }
const event = { type: 'a', timestamp: '2026-01-01T00:00:00Z', source: 's' }

/** A service that accepts at once, with a log that is as slow as the test wants. */
function setUp(kept: Promise<void>) {
  const messages = new AsyncLocalStorage<Message>()
  const log = tellMessage({ event: () => kept, notification: () => kept }, messages)
  const service: SoapService = {
    ...{ limits: {} as SoapService['limits'], idle: () => Promise.resolve() },
    attachments: undefined,
    handle() {
      // As a service does: the work is started, and its failure goes to the log.
      Promise.resolve(log.event(event, { name: 'ada', subject: undefined })).catch(() => {})
      return Promise.resolve(ACCEPTED)
    },
    fault: (error) => ({ status: 503, headers: {}, body: String(error) }),
  }
  return {
    messages,
    handle: () => messages.run({ address: '' }, async () => await keepFirst(service, messages).handle(request)),
  }
}

describe('a one-way message', () => {
  test('is answered when it is kept, not before', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { handle } = setUp(promise)
    let answer: SoapResponse | undefined
    const answered = handle().then((given) => (answer = given))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(answer).toBeUndefined()
    resolve()
    expect(await answered).toBe(ACCEPTED)
  })

  test('that cannot be kept gets a fault', async () => {
    const { handle } = setUp(Promise.reject(new Error('the database is away')))
    expect(await handle()).toMatchObject({ status: 503, body: expect.stringContaining('the database is away') })
  })
})
