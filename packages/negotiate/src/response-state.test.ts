import { request } from 'node:http'
import { type NegotiateOptions, negotiate } from '@svc/negotiate'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const TEXT = 'a body that becomes smaller. '.repeat(200)

let running: RunningHost | undefined
afterEach(() => running?.close())

describe.each(Object.keys(hosts))('a response on %s', (name) => {
  const serve = async (handler: Pipeline['handler'] & {}, options: NegotiateOptions = {}): Promise<string> => {
    const pipeline = { middlewares: [negotiate(options)], handler }
    running = await listen((hosts[name] as (typeof hosts)[string])(pipeline))
    return running.url
  }

  test('offers no ranges of a compressed body', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'Accept-Ranges': 'bytes' }).end(TEXT)
    })
    await check(url, { headers: { 'accept-encoding': 'gzip' } }, { headers: { 'accept-ranges': undefined } })
    await check(url, {}, { headers: { 'accept-ranges': 'bytes' } })
  })

  test.each([
    ['if-none-match', 304, 'Not Modified'],
    ['if-match', 412, 'Precondition Failed'],
  ])('sets the reason phrase of its status for %s', async (field, status, reason) => {
    const url = await serve((_req, res) => {
      res.writeHead(200, 'Fine', { 'Content-Type': 'text/plain', ETag: '"a"' }).end(TEXT)
    })
    const value = field === 'if-match' ? '"b"' : '"a"'
    const answer = await new Promise<[number | undefined, string | undefined]>((resolve) => {
      request(url, { headers: { [field]: value } }, (res) =>
        resolve([res.resume().statusCode, res.statusMessage]),
      ).end()
    })
    expect(answer).toEqual([status, reason])
  })

  test('closes the connection if it fails after the start, even before the encoder emits a byte', async () => {
    let state: boolean[] = []
    const url = await serve((_req, res) => {
      res.setHeader('Content-Type', 'text/plain')
      res.write('little')
      state = [res.headersSent, res.writableEnded]
      if (res.headersSent) res.destroy()
    })
    await expect(check(url, { headers: { 'accept-encoding': 'gzip' } }, {})).rejects.toThrow(/hang up|aborted/)
    expect(state).toEqual([true, false])
  })

  test('is ended while another thread compresses it', async () => {
    let state: boolean[] = []
    const url = await serve((_req, res) => {
      res.setHeader('Content-Type', 'text/plain')
      res.end(TEXT.repeat(20))
      state = [res.headersSent, res.writableEnded]
    })
    await check(
      url,
      { headers: { 'accept-encoding': 'gzip' } },
      { status: 200, headers: { 'content-encoding': 'gzip' } },
    )
    expect(state).toEqual([true, true])
  })
})
