import type { SoapRequest, SoapResponse, SoapService } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { SoapMessage } from '../../domain/soap/message.ts'
import { withReplyRules } from './endpoints.ts'

const ACCEPTED: SoapResponse = { status: 202, headers: {}, body: '' }

/** A service that accepts at once, and stores as slowly as the test wants. */
function setUp(stored: Promise<void>) {
  const message = new SoapMessage('')
  const request: SoapRequest = { method: 'POST', context: message }
  const service: SoapService = {
    limits: {} as SoapService['limits'],
    idle: () => Promise.resolve(),
    attachments: undefined,
    handle() {
      message.stored = stored
      // As a service does: the failure of the work goes to its log.
      stored.catch(() => {})
      return Promise.resolve(ACCEPTED)
    },
    fault: (error) => ({ status: 503, headers: {}, body: String(error) }),
  }
  return { handle: async () => await withReplyRules(service, 1000).handle(request) }
}

describe('a one-way message', () => {
  test('is answered when it is stored, not before', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { handle } = setUp(promise)
    let answer: SoapResponse | undefined
    const answered = handle().then((given) => (answer = given))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(answer).toBeUndefined()
    resolve()
    expect(await answered).toBe(ACCEPTED)
  })

  test('that cannot be stored gets a fault', async () => {
    const { handle } = setUp(Promise.reject(new Error('the database is away')))
    expect(await handle()).toMatchObject({ status: 503, body: expect.stringContaining('the database is away') })
  })
})
