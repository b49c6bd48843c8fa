import { request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { soap } from '@svc/soap-envelope'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { envelope, getCustomer, shopService } from './testing/shop.ts'

const TYPE_12 = 'application/soap+xml; charset=utf-8'
const MESSAGE = envelope(getCustomer())
const headers = { 'content-type': TYPE_12 }

const errors: unknown[] = []
const service = shopService({ onFault: (_, { error }) => errors.push(error) })

describe('clients that misbehave', () => {
  let host: RunningHost
  let arrived = (): void => {}
  beforeAll(async () => {
    const middleware = soap(service)
    host = await listen((req, res) => {
      arrived()
      middleware(req, res, () => res.end())
    })
  })
  afterAll(() => host.close())
  const stillServes = (): Promise<unknown> =>
    check(host.url, { method: 'POST', headers, body: MESSAGE }, { status: 200 })

  test('one that goes away in the middle, compressed or not', async () => {
    for (const coding of ['identity', 'gzip']) {
      const { port } = new URL(host.url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE_12}\r\nContent-Encoding: ${coding}\r\nContent-Length: 500\r\n\r\n`,
      )
      socket.write(coding === 'gzip' ? gzipSync(MESSAGE).subarray(0, 20) : MESSAGE.slice(0, 20))
      const before = errors.length
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
      socket.destroy()
      while (errors.length === before) await new Promise((resolve) => setImmediate(resolve))
      await stillServes()
    }
  })

  test('one that sends a bad message gets its fault before it has sent the rest', async () => {
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const req = request(host.url, { method: 'POST', headers: { ...headers, 'content-length': '500000' } }, (res) => {
        let text = ''
        res.on('data', (chunk: Buffer) => (text += chunk)).on('end', () => resolve({ status: res.statusCode, text }))
      })
      req.on('error', reject)
      req.write(`<!DOCTYPE x [${' '.repeat(1000)}`)
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('DtdNotAllowed')
    await stillServes()
  })
})
