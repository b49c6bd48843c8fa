import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readBody } from './body.ts'
import type { IncomingMessage, ServerResponse } from './middleware.ts'
import { check } from './testing/check.ts'
import { listen } from './testing/hosts.ts'

const answer = (req: IncomingMessage, res: ServerResponse): void =>
  readBody(req, { maxBytes: 10, code: 'ERR_TEST' }, (error, body) => {
    res.statusCode = error?.status ?? 200
    res.end(error?.code ?? body)
  })

test('reads a body that arrived before the call', async () => {
  const host = await listen(async (req, res) => {
    while (!req.complete) await setImmediate()
    answer(req, res)
  })
  await check(host.url, { method: 'POST', body: 'hello' }, { status: 200, body: 'hello' })
  await check(host.url, { method: 'GET' }, { status: 200, body: '' })
  await check(host.url, { method: 'POST', body: 'x'.repeat(11) }, { status: 413, body: 'ERR_TEST_BODY_TOO_LARGE' })
  await host.close()
})

test('uses the body of a parser, and rejects a body that exceeds the limit on arrival', async () => {
  const parsed = await listen((req, res) => answer(Object.assign(req, { body: 'parsed' }), res))
  await check(parsed.url, { method: 'POST', body: 'raw' }, { status: 200, body: 'parsed' })
  await parsed.close()
  const host = await listen(answer)
  const headers = { 'transfer-encoding': 'chunked' }
  const answered = await check(host.url, { method: 'POST', headers, body: 'x'.repeat(11) }, { status: 413 })
  expect(answered.text).toBe('ERR_TEST_BODY_TOO_LARGE')
  await host.close()
})
