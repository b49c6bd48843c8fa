import type { IncomingMessage, ServerResponse } from 'node:http'
import { type SoapResponse, sendSoapResponse, soap } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { check } from '../../../internal/testing/check.ts'
import { hosts, listen } from '../../../internal/testing/hosts.ts'
import { sendMessage } from '../testing/send-message.ts'
import { envelope, getCustomer, shopService } from '../testing/shop.ts'

const TYPE_12 = 'application/soap+xml; charset=utf-8'
const MESSAGE = envelope(getCustomer())
const headers = { 'content-type': TYPE_12 }
const service = shopService()

describe('headers of every response', () => {
  const options = {
    headers: ({ method = '' }: IncomingMessage) => ({
      'X-Method': method,
      'cache-control': 'private',
      'Content-Type': 'text/plain',
      'X-Content-Type-Options': 'none',
    }),
  }
  const fields = { 'content-type': TYPE_12, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

  test.each(Object.keys(hosts))('are sent once, with those of the response on %s', async (name) => {
    const host = await listen(hosts[name]?.({ middlewares: [soap(service, options)] }) ?? expect.fail('no host'))
    const post = { method: 'POST', headers, body: MESSAGE }
    await check(host.url, post, { status: 200, headers: { ...fields, 'x-method': 'POST' }, body: /<t2:id>42</ })
    await check(host.url, { ...post, body: '<' }, { status: 400, headers: { ...fields, 'x-method': 'POST' } })
    const wsdl = { status: 200, headers: { 'cache-control': 'public, max-age=300', 'x-method': 'GET' } }
    await check(host.url, { path: '/?wsdl' }, wsdl)
    await host.close()
  })

  test('that cannot be told become a fault', async () => {
    const broken = (): never => {
      throw new TypeError('no headers')
    }
    const host = await listen(
      hosts['node:http']?.({ middlewares: [soap(service, { headers: broken })] }) ?? expect.fail(),
    )
    await check(host.url, { method: 'POST', headers, body: MESSAGE }, { status: 500, headers: fields })
    await host.close()
  })
})

const withHeaders: SoapResponse = { status: 200, headers: { 'Content-Type': 'text/xml', 'x-one': 'own' }, body: '<x/>' }
const common = [
  { 'X-ONE': 'common', 'x-two': 'first' },
  { 'X-Content-Type-Options': 'sniff', 'X-Two': 'second', 'X-Three': 'third' },
]

test('the headers of the response override the common ones, and later ones earlier ones, whatever their case', async () => {
  const received = await sendMessage((req, res) => sendSoapResponse(req, res, withHeaders, common))
  const fields = received
    .toLowerCase()
    .split('\r\n')
    .filter((line) => line.startsWith('x-'))
    .sort()
  expect(fields).toEqual(['x-content-type-options: nosniff', 'x-one: own', 'x-three: third', 'x-two: second'])
})

test('middleware that replaces writeHead() sees each header, not a list', async () => {
  const seen: unknown[] = []
  const watch = (_: IncomingMessage, res: ServerResponse): void => {
    const { writeHead } = res
    res.writeHead = (...args: unknown[]): ServerResponse => {
      seen.push(args.length, res.getHeader('x-two'))
      return Reflect.apply(writeHead, res, args) as ServerResponse
    }
  }
  const received = await sendMessage((req, res) => {
    watch(req, res)
    sendSoapResponse(req, res, withHeaders, common)
  })
  expect(received).toContain('X-Two: second\r\n')
  expect(seen).toEqual([1, 'second'])
})
