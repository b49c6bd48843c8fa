import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatLinkHeader, page, resource } from '@svc/hal'
import { browse, checkLinks } from '@svc/hal/testing'
import { Client } from 'ketting'
import traverson from 'traverson'
import JsonHalAdapter from 'traverson-hal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'

interface Order {
  id: number
  status: string
}

const orders: Order[] = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, status: 'PAID' }))
const order = resource<Order>('order', {
  self: '/orders/{id}',
  curies: [{ name: 'shop', href: '/rels/{rel}' }],
  links: {
    collection: '/orders',
    'shop:cancel': { href: '/orders/{id}/cancellation', form: { schema: { properties: { reason: {} } } } },
  },
})
const root = resource('root', { self: '/', links: { orders: { href: '/orders{?page,size}', templated: true } } })

/** An app with five kinds of pages, and a redirect. */
function serve(req: IncomingMessage, res: ServerResponse): void {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://x')
  const answer = (status: number, body: string, type = 'application/hal+json'): void => {
    res.writeHead(status, { 'Content-Type': type }).end(body)
  }
  const [, collection, id, part] = pathname.split('/')
  const found = orders.find((each) => String(each.id) === id)
  if (pathname === '/') answer(200, root.stringify({}))
  else if (pathname === '/orders') {
    const number = Number(searchParams.get('page') ?? 0)
    const items = orders.slice(number * 2, number * 2 + 2)
    const one = page(items, { resource: order, path: '/orders', number, size: 2, totalElements: 5 })
    res.setHeader('Link', one.linkHeader())
    answer(200, one.stringify('hal'))
  } else if (collection === 'orders' && found && !part) answer(200, JSON.stringify(order.forms(found)))
  else if (collection === 'orders' && found && part === 'cancellation')
    answer(200, `{"status":"AVAILABLE","_links":{"self":{"href":"${pathname}"}}}`)
  else if (pathname === '/latest') res.writeHead(302, { Location: '/years/2026/' }).end()
  else if (collection === 'years') answer(200, `{"_links":{"self":{"href":"${pathname}"},"report":{"href":"report"}}}`)
  else if (collection === 'rels') answer(200, '{"_links":{"not":{"href":"/hal"}}}', 'text/html')
  else answer(404, '{}', 'application/json')
}

let host: RunningHost
beforeAll(async () => {
  host = await listen(serve)
})
afterAll(() => host.close())

describe('checkLinks', () => {
  test('follows the links of an app to its last page, and finds none broken', async () => {
    const report = await checkLinks(`${host.url}/`)
    expect(report.broken).toEqual([])
    expect(report.truncated).toBe(false)
    const paths = report.visited.map((url) => url.slice(host.url.length))
    expect(paths).toContain('/orders?page=2&size=2')
    expect(paths).toContain('/orders/5/cancellation')
    expect(new Set(paths).size).toBe(paths.length)
  })

  test('lists broken links with their document and relation', async () => {
    const answers: Record<string, [number, unknown, Record<string, string>?]> = {
      '/': [
        200,
        {
          _links: {
            self: '/',
            gone: { href: '/gone' },
            bad: { href: 'http://[' },
            broken: { href: '/{', templated: true },
            other: 'https://other.example/',
          },
        },
      ],
      '/gone': [410, {}],
      '/list': [
        200,
        {
          items: [{ id: 1, _links: { next: '/' } }],
          _links: { self: '/list' },
          _templates: { a: { target: '/form' } },
        },
      ],
      '/form': [403, {}],
    }
    const fetch = (url: string) => {
      const { pathname } = new URL(url)
      if (pathname === '/down') return Promise.reject(new Error('connection refused'))
      const [status, body] = answers[pathname] ?? [404, {}]
      const link = formatLinkHeader([
        { href: '/list', rel: 'item' },
        { href: '/down', rel: 'x' },
      ])
      return Promise.resolve(Response.json(body, { status, headers: { link } }))
    }
    const { broken } = await checkLinks('http://app.test/', { fetch })
    const from = 'http://app.test/'
    expect(broken.toSorted((a, b) => (a.relation < b.relation ? -1 : 1))).toEqual([
      { from: 'http://app.test/list', relation: 'a', href: '/form', reason: '403' },
      { from, relation: 'bad', href: 'http://[', reason: 'not a URL' },
      { from, relation: 'broken', href: '/{', reason: 'not a URI template' },
      { from, relation: 'gone', href: '/gone', reason: '410' },
      { from: 'http://app.test/list', relation: 'self', href: '', reason: 'no self link' },
      { from, relation: 'x', href: '/down', reason: 'connection refused' },
    ])
  })

  test('resolves links against the URL after redirects', async () => {
    const { broken, visited } = await checkLinks(`${host.url}/latest`)
    expect(broken).toEqual([])
    expect(visited).toContain(`${host.url}/years/2026/report`)
    const fetch = (url: string): Promise<Response> => {
      const { pathname } = new URL(url)
      const response = Response.json(
        { _links: { self: { href: pathname }, gone: { href: '/gone' } } },
        {
          status: pathname === '/gone' ? 410 : 200,
        },
      )
      return Promise.resolve(Object.defineProperty(response, 'url', { value: url.replace('http:', 'https:') }))
    }
    expect((await checkLinks('http://app.test/', { fetch })).broken).toEqual([
      { from: 'https://app.test/', relation: 'gone', href: '/gone', reason: '410' },
    ])
  })

  test('requests no URL of another host to which the start URL redirects', async () => {
    const fetch = (): Promise<Response> => {
      const document = { _links: { self: { href: '/login' }, help: { href: '/help' } } }
      const response = Response.json(document, { headers: { Link: '</style.css>; rel="stylesheet"' } })
      return Promise.resolve(Object.defineProperty(response, 'url', { value: 'https://sso.example/login' }))
    }
    const headers = { authorization: 'Bearer canary' }
    expect((await checkLinks('http://app.test/', { fetch, headers })).visited).toEqual(['http://app.test/'])
  })

  test('stops at its limit, and skips ignored links', async () => {
    expect(await checkLinks(`${host.url}/`, { maxUrls: 2 })).toMatchObject({ truncated: true, broken: [] })
    const skip = (url: string): boolean => url.includes('/orders')
    expect((await checkLinks(`${host.url}/`, { skip })).visited).toEqual([`${host.url}/`])
  })

  test.each([
    [{ maxUrl: 1 }, 'hal: checkLinks: unknown option "maxUrl", did you mean "maxUrls"?'],
    [{ maxUrls: 0 }, 'hal: checkLinks: maxUrls must be'],
    [{ skip: '/x' }, 'hal: checkLinks: skip must be a function, got "/x"'],
  ])('rejects the options %j', async (options, message) => {
    await expect(checkLinks(`${host.url}/`, options as object)).rejects.toThrow(message)
    await expect(browse(`${host.url}/`, { header: {} } as object)).rejects.toThrow('did you mean "headers"?')
  })

  test('lists a start URL that fails', async () => {
    const { broken } = await checkLinks(`${host.url}/nowhere`)
    expect(broken).toEqual([
      { from: `${host.url}/nowhere`, relation: 'self', href: `${host.url}/nowhere`, reason: '404' },
    ])
  })
})

describe('browse', () => {
  test('follows links', async () => {
    const start = await browse(`${host.url}/`)
    const second = await (await start.follow('orders', { size: 2 })).follow('next')
    expect(second.url).toBe(`${host.url}/orders?page=1&size=2`)
    expect(second.embedded('orders').map(({ state }) => state)).toEqual([orders[2], orders[3]])
    expect(second.documentation('shop:cancel')).toBe('/rels/cancel')
  })

  test('follows links from the URL after redirects', async () => {
    const year = await browse(`${host.url}/latest`)
    expect(year.url).toBe(`${host.url}/years/2026/`)
    expect(await year.follow('report')).toMatchObject({ url: `${host.url}/years/2026/report`, status: 200 })
    await expect(year.follow('next')).rejects.toThrow(`${host.url}/years/2026/ has no link "next"`)
  })

  test('finds nothing in a page that is not JSON by its type', async () => {
    expect((await browse(`${host.url}/rels/cancel`)).relations).toEqual([])
  })

  test('lists the relations if one is missing', async () => {
    const start = await browse(`${host.url}/`)
    await expect(start.follow('order')).rejects.toThrow('has no link "order"; its relations are: self, orders')
  })
})

describe('third-party clients', () => {
  test('ketting follows links, and uses embedded orders without a request', async () => {
    const client = new Client(host.url)
    const collection = await client.follow('orders', { page: 1 })
    const items = await collection.followAll('orders')
    expect(await Promise.all(items.map(async (item) => (await item.get()).data))).toEqual([orders[2], orders[3]])
    const next = await collection.follow('next')
    expect((await next.get()).links.get('self')?.href).toBe('/orders?page=2&size=2')
    const cancel = await items[0]?.follow('shop:cancel')
    expect((await cancel?.get())?.data).toEqual({ status: 'AVAILABLE' })
  })

  test('traverson follows links to an embedded order and its cancellation', async () => {
    traverson.registerMediaType(JsonHalAdapter.mediaType, JsonHalAdapter)
    const walk = traverson.from(`${host.url}/`).jsonHal().withTemplateParameters({ page: 0 })
    const found = await new Promise((resolve, reject) => {
      walk.follow('orders', 'orders[1]', 'self', 'shop:cancel').getResource((error: unknown, document: unknown) => {
        if (error) reject(error)
        else resolve(document)
      })
    })
    expect(found).toMatchObject({ status: 'AVAILABLE' })
  })
})
