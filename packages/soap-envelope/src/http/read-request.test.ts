import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { respondToRequest, sendSoapResponse, soap } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { check, send } from '../../../internal/testing/check.ts'
import { hosts, listen } from '../../../internal/testing/hosts.ts'
import { sendMessage } from '../testing/send-message.ts'
import { envelope, getCustomer, shopService } from '../testing/shop.ts'

const MESSAGE = envelope(getCustomer())
const headers = { 'content-type': 'application/soap+xml; charset=utf-8' }

const errors: unknown[] = []
const service = shopService({ onFault: (_, { error }) => errors.push(error) })

describe('bodies that were read before', () => {
  const withBody = (fill: object) => (req: object, _: unknown, next: () => void) => {
    Object.assign(req, fill)
    next()
  }
  const run = async (fill: object, literal: object): Promise<{ status: number; text: string }> => {
    const make = hosts['express 5']
    if (!make) throw new Error('no host')
    const host = await listen(make({ middlewares: [withBody(fill) as never, soap(service)] }))
    const answer = await send(host.url, { method: 'POST', headers, ...literal })
    await host.close()
    return answer
  }

  test.each<[string, object, object, number]>([
    ['bytes', { body: Buffer.from(MESSAGE) }, { body: 'x' }, 200],
    ['raw bytes beside a parsed body', { rawBody: Buffer.from(MESSAGE), body: { a: 1 } }, { body: 'x' }, 200],
    ['text', { body: MESSAGE }, { body: 'x' }, 200],
    ['the empty object of a parser that let it pass', { body: {} }, { body: MESSAGE }, 200],
    [
      'bytes of a platform that left them compressed',
      { body: gzipSync(MESSAGE) },
      { headers: { ...headers, 'content-encoding': 'gzip' } },
      200,
    ],
    [
      'bytes that a parser has decompressed',
      { body: Buffer.from(MESSAGE) },
      { headers: { ...headers, 'content-encoding': 'gzip' } },
      200,
    ],
    ['too many bytes', { body: Buffer.alloc(1_100_000, ' ') }, {}, 413],
  ])('%s', async (_, fill, literal, status) => {
    expect((await run(fill, literal)).status).toBe(status)
  })

  test('a parser that has read the stream and kept no bytes is a mistake that the log names', async () => {
    const make = hosts['node:http']
    if (!make) throw new Error('no host')
    const drain = (req: NodeJS.ReadableStream, _: unknown, next: () => void): void => {
      req.resume()
      req.on('end', next)
    }
    const host = await listen(make({ middlewares: [drain as never, soap(service)] }))
    await check(host.url, { method: 'POST', headers, body: MESSAGE }, { status: 500, body: /f:InternalError</ })
    await host.close()
    expect(errors.at(-1)).toMatchObject({ code: 'ERR_SOAP_ENVELOPE_BODY_CONSUMED' })
  })
})

test('a target in absolute form is the path of the service', async () => {
  const listener = soap(service)
  const host = await listen((req, res) => listener(req, res, () => res.end()))
  const target = { path: `${host.url}/ws?wsdl` }
  await check(`${host.url}/`, target, { status: 200, body: new RegExp(`location="${host.url}/ws"`) })
  await host.close()
})

/** Responds when node:http has parsed the packet. */
function respondLater(seen: unknown[]): RequestListener {
  return async (req, res) => {
    await Promise.resolve()
    const response = respondToRequest(service, req)
    seen.push(response instanceof Promise)
    sendSoapResponse(req, res, await response)
  }
}

test('responds in the same tick to a message that has arrived completely', async () => {
  const seen: unknown[] = []
  const respond = respondLater(seen)
  const received = await sendMessage((req, res) => {
    req.once('end', () => seen.push('end'))
    respond(req, res)
  })
  expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*<t2:id>42<\/t2:id>/)
  expect(seen).toEqual([false, 'end'])
})

test('the rest of a message is awaited', async () => {
  const seen: unknown[] = []
  expect(await sendMessage(respondLater(seen), 20)).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*<t2:id>42<\/t2:id>/)
  expect(seen).toEqual([true])
})
