import type { Express } from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, send } from '../../packages/internal/testing/check.ts'
import { listen, type RunningHost } from '../../packages/internal/testing/hosts.ts'
import { app as errors } from './errors.ts'
import { app as hal } from './hal.ts'
import { app as idempotency } from './idempotency.ts'
import { app as negotiate } from './negotiate.ts'
import { app as ratelimit } from './ratelimit.ts'
import { app as soapEnvelope } from './soap-envelope.ts'
import { app as versioning } from './versioning.ts'

function example(name: string, app: Express, tests: (url: () => string) => void): void {
  describe(name, () => {
    let host: RunningHost
    beforeAll(async () => {
      host = await listen((req, res) => app(req, res))
    })
    afterAll(() => host.close())
    tests(() => host.url)
  })
}

const json = { 'content-type': 'application/json' }

example('negotiate', negotiate, (url) => {
  test('serves three formats, 304 for a known ETag, and rejects a change of an old revision', async () => {
    const path = '/employees/7'
    const found = await check(
      url(),
      { path },
      { status: 200, headers: { 'content-type': 'application/json', vary: /Accept/ } },
    )
    await check(url(), { path, headers: { accept: 'text/csv' } }, { status: 200, body: /^id,name,department\r\n7,Zoë/ })
    await check(url(), { path, headers: { accept: 'image/png' } }, { status: 406 })
    const etag = found.headers['etag'] ?? ''
    await check(url(), { path, headers: { 'if-none-match': etag } }, { status: 304, body: '' })

    const change = { method: 'PATCH', path, body: '{"department":"Sales"}' }
    await check(url(), { ...change, headers: json }, { status: 428 })
    await check(
      url(),
      { ...change, headers: { ...json, 'if-match': etag } },
      { status: 200, body: { department: 'Sales' } },
    )
    await check(url(), { ...change, headers: { ...json, 'if-match': etag } }, { status: 412 })
  })
})

example('errors', errors, (url) => {
  test('returns every error in the format that the client prefers', async () => {
    const missing = { path: '/employees/9' }
    await check(url(), missing, {
      status: 404,
      body: { status: 404, error: 'Not Found', message: 'Employee 9 does not exist.', path: '/employees/9' },
    })
    const headers = { accept: 'application/problem+json' }
    await check(
      url(),
      { ...missing, headers },
      { status: 404, headers: { 'content-type': /^application\/problem\+json/ } },
    )
    await check(url(), { path: '/purchase' }, { status: 403, body: { message: 'The account has not enough credit.' } })
    await check(url(), { method: 'DELETE', path: '/purchase' }, { status: 405, headers: { allow: /GET/ } })
    await check(url(), { method: 'POST', path: '/employees', headers: json, body: '{"name":' }, { status: 400 })
    await check(
      url(),
      { method: 'POST', path: '/employees', headers: json, body: '{}' },
      { status: 400, body: { errors: [{ pointer: '/name' }] } },
    )
    const broken = await check(url(), { path: '/broken' }, { status: 500 })
    expect(broken.text).not.toMatch(/hunter2|10\.0\.0\.1/)
  })
})

example('hal', hal, (url) => {
  test('links orders by their state, and adjacent pages', async () => {
    const paid = await check(
      url(),
      { path: '/orders/1' },
      { status: 200, body: { _links: { self: { href: '/orders/1' }, cancel: {} } } },
    )
    expect(JSON.parse(paid.text)._links).not.toHaveProperty('payment')
    const links = { next: { href: '/orders?page=2&size=10' }, previous: { href: '/orders?page=0&size=10' } }
    await check(
      url(),
      { path: '/orders?page=1' },
      { status: 200, body: { page: { totalElements: 25 }, _links: links } },
    )
  })
})

example('versioning', versioning, (url) => {
  test('serves three versions by all three strategies from one handler', async () => {
    const old = { id: 7, salary: 5000 }
    const newer = { id: 7, salary: { amount: '5000.00', currency: 'EUR' } }
    await check(url(), { path: '/employees/7' }, { body: old, headers: { deprecation: /^@\d+$/, sunset: /GMT$/ } })
    await check(url(), { path: '/v2/employees/7' }, { body: newer, headers: { deprecation: undefined } })
    await check(url(), { path: '/v2/employees/7' }, { body: { name: 'Zoë Ångström' } })
    await check(url(), { path: '/v3/employees/7' }, { body: { ...newer, name: { given: 'Zoë', family: 'Ångström' } } })
    await check(url(), { path: '/employees/7', headers: { 'api-version': '2' } }, { body: newer })
    const accept = 'application/vnd.example.v2+json'
    await check(
      url(),
      { path: '/employees/7', headers: { accept } },
      { body: newer, headers: { 'content-type': new RegExp(accept.replace('+', '\\+')) } },
    )
    await check(url(), { path: '/v1/employees/7', headers: { 'api-version': '2' } }, { status: 400 })
    const put = { method: 'PUT', path: '/v1/employees/8', headers: json, body: '{"name":"Ben","salary":10}' }
    await check(url(), put, { status: 200, body: { id: 8, salary: 10 } })
    await check(url(), { path: '/v2/employees/8' }, { body: { salary: { amount: '10.00' } } })
    const vendor = { 'content-type': 'application/vnd.example.v2+json' }
    const second = { ...put, path: '/employees/8', headers: vendor, body: '{"name":"Ben","salary":{"amount":"11.00"}}' }
    await check(url(), second, { status: 200, body: { salary: { amount: '11.00' } } })
  })
})

example('ratelimit', ratelimit, (url) => {
  test('charges five units for a search, and rejects requests above the burst', async () => {
    const statuses = []
    for (let at = 0; at < 3; at++) statuses.push((await send(url(), { path: '/search' })).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

example('idempotency', idempotency, (url) => {
  test('makes a payment once', async () => {
    const payment = {
      method: 'POST',
      path: '/payments',
      headers: { ...json, 'idempotency-key': '"k1"' },
      body: '{"amount":"10.00"}',
    }
    const first = await check(url(), payment, { status: 201, headers: { location: '/payments/1' } })
    const again = await check(url(), payment, {
      status: 201,
      headers: { location: '/payments/1', 'idempotent-replayed': 'true' },
    })
    expect(again.text).toBe(first.text)
    await check(url(), { ...payment, body: '{"amount":"11.00"}' }, { status: 422 })
    await check(url(), { ...payment, headers: json }, { status: 400 })
    await check(url(), { path: '/payments' }, { body: { count: 1 } })
  })
})

example('soap-envelope', soapEnvelope, (url) => {
  const message = (body: string): string =>
    `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${body}</e:Body></e:Envelope>`
  const call = (body: string) => ({
    method: 'POST',
    path: '/ws/customer',
    headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
    body: message(body),
  })

  test('returns a response, a fault, and the contract', async () => {
    const get = (id: string): string =>
      `<GetCustomerRequest xmlns="http://example.com/customer/v1"><customerId>${id}</customerId></GetCustomerRequest>`
    await check(url(), call(get('1')), {
      status: 200,
      headers: { 'content-type': /^application\/soap\+xml/ },
      body: /Ada Lovelace/,
    })
    await check(url(), call(get('2')), { status: 400, body: /There is no such customer/ })
    await check(url(), call(get('x')), { status: 400, body: /Fault/ })
    await check(
      url(),
      { path: '/ws/customer?wsdl' },
      { status: 200, headers: { 'content-type': /^text\/xml/ }, body: /CustomerPortType/ },
    )
  })
})
