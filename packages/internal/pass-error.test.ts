import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { passError } from './pass-error.ts'
import { check } from './testing/check.ts'

test('passes an error to next', () => {
  const passed: unknown[] = []
  const error = new Error('broken')
  passError(error, 'ERR_X_CALLBACK_FAILED', {} as never, {} as never, (each) => void passed.push(each))
  expect(passed).toEqual([error])
})

test('never runs a handler that would ignore the error', async () => {
  let ran = false
  const server = createServer((req, res) =>
    passError(new Error('secret'), 'ERR_X_CALLBACK_FAILED', req, res, () => void (ran = true)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { text } = await check(url, {}, { status: 500 })
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'ERR_X_CALLBACK_FAILED' })
    expect(text).not.toContain('secret')
    expect(ran).toBe(false)
  } finally {
    server.close()
  }
})
