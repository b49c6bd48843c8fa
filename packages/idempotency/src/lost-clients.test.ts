import { request } from 'node:http'
import { Readable } from 'node:stream'
import { idempotent } from '@svc/idempotency'
import { test, vi } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { type Handler, serve, until } from './testing/service.ts'

test('a stream that stops because its client went away does not keep its key in progress', async () => {
  let isClosed = false
  const handler: Handler = (_req, res) => {
    res.setHeader('Location', '/exports/1')
    new Readable({
      read() {
        this.push('x'.repeat(1000))
      },
    }).pipe(res)
    res.once('close', () => void (isClosed = true))
  }
  await serve('node:http', { middlewares: [idempotent()], handler }, async (url) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const headers = { 'Idempotency-Key': 'a', 'Content-Length': '2' }
    const client = request(`${url}/exports`, { method: 'POST', headers, agent: false }, (res) => {
      res.on('error', () => {}).once('data', () => client.destroy())
    })
    client.on('error', () => {}).end('{}')
    await until(() => isClosed)
    vi.advanceTimersByTime(5000)
    vi.useRealTimers()
    const retry = { method: 'POST', path: '/exports', headers: { 'Idempotency-Key': 'a' }, body: '{}' }
    await check(url, retry, { status: 409, headers: { location: '/exports/1' } })
  })
})

test('a handler that goes on writing when its client went away is waited for', async () => {
  let isClosed = false
  let write = (_last: boolean): void => {}
  const handler: Handler = (_req, res) => {
    write = (last) => void (last ? res.end('.') : res.write('x'))
    write(false)
    res.once('close', () => void (isClosed = true))
  }
  await serve('node:http', { middlewares: [idempotent()], handler }, async (url) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const retry = { method: 'POST', path: '/exports', headers: { 'Idempotency-Key': 'a' }, body: '{}' }
    const headers = { 'Idempotency-Key': 'a', 'Content-Length': '2' }
    const client = request(`${url}/exports`, { method: 'POST', headers, agent: false }, () => client.destroy())
    client.on('error', () => {}).end('{}')
    await until(() => isClosed)
    for (let times = 0; times < 3; times++) {
      vi.advanceTimersByTime(4000)
      write(false)
    }
    vi.useRealTimers()
    await check(url, retry, { status: 409, headers: { 'retry-after': '1' } })
    write(true)
    await check(url, retry, { status: 200, body: 'xxxx.', headers: { 'idempotent-replayed': 'true' } })
  })
})
