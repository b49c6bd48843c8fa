import { expect, test } from 'vitest'
import { onEveryDatabase, record } from '../service.ts'

const RELATIONS =
  'self next previous first last update delete manager department tracking invoice cancel payment'.split(' ')

interface Linked {
  _links?: Record<string, { href: string }>
  items?: Linked[]
}

onEveryDatabase('1 to 3, the resources and their representations', (service) => {
  const read = async (path: string, accept = 'application/json'): Promise<string> =>
    (await service.check({ as: 'ada', path, headers: { accept } }, { status: 200 })).text

  test('1-resources a client that names no format gets JSON', async () => {
    for (const path of ['/employees', '/employees/1', '/orders/1', '/customers/1']) {
      const plain = await service.check({ as: 'ada', path }, { headers: { 'content-type': /^application\/json/ } })
      const any = await service.check({ as: 'ada', path, headers: { accept: '*/*' } }, { status: 200 })
      expect(any.text).toBe(plain.text)
    }
  })

  test('1-representations one employee comes in every format', async () => {
    const formats: [string, RegExp][] = [
      ['application/json', /^\{"id":1,/],
      ['application/hal+json', /"_links":\{"self":\{"href"/],
      ['application/xml', /^<\?xml.*<employee><id>1<\/id>/s],
      ['text/csv', /^id,name,.*\r\n1,/],
      ['text/plain', /^id: 1\n/],
      ['text/html', /^<!doctype html>/i],
    ]
    for (const [accept, body] of formats) {
      const headers = { 'content-type': new RegExp(`^${accept.replace(/[/+.]/g, '\\$&')}`), vary: /\bAccept\b/ }
      await service.check({ as: 'ada', path: '/employees/1', headers: { accept } }, { status: 200, headers, body })
    }
    const pdf = { as: 'ada', path: '/orders/1/invoice', headers: { accept: 'application/pdf' } }
    await service.check(pdf, { status: 200, headers: { 'content-type': 'application/pdf' }, body: /^%PDF-1\./ })
    for (const type of ['image/svg+xml', 'image/png']) {
      const image = { path: '/products/1/image', headers: { accept: type } }
      await service.check(image, {
        status: 200,
        headers: { 'content-type': new RegExp(`^${type.replace('+', '\\+')}`) },
      })
    }
  })

  test('1-1 treats each request separately: one without credentials is unauthenticated', async () => {
    const first = await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
    expect(first.headers['set-cookie']).toBeUndefined()
    await service.check({ path: '/employees/1', headers: { cookie: 'SESSION_ID=ada' } }, { status: 401 })
  })

  test('1-2 every response says whether it may be cached', async () => {
    const expected: [string, RegExp, string?][] = [
      ['/employees/1', /^private, no-cache$/],
      ['/employees', /^private, no-cache$/],
      ['/products', /^public, max-age=\d+/, 'nobody'],
      ['/accounts', /^no-store$/],
      ['/employees/99999', /^no-store$/],
      ['/nothing', /^no-store$/],
      ['/health', /^no-store$/],
      ['/users/me', /^no-store$/],
      ['/employees/', /^public, max-age=\d+$/],
      ['/openapi.json', /^(public|private), /],
      ['/ws/customer?wsdl', /^public, max-age=\d+$/],
      ['/ws/customer', /^no-store$/],
    ]
    for (const [path, control, nobody] of expected)
      await service.check({ ...(!nobody && { as: 'ada' }), path }, { headers: { 'cache-control': control } })
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    for (const headers of [{}, preflight] as Record<string, string>[])
      for (const path of ['/employees', '/ws/customer'])
        await service.check({ method: 'OPTIONS', path, headers }, { headers: { 'cache-control': 'no-store' } })
    for (const [method, path] of [
      ['DELETE', '/employees/99999'],
      ['TRACE', '/employees'],
      ['POST', '/employees'],
    ] as const)
      await service.check({ as: 'ada', method, path }, { headers: { 'cache-control': 'no-store' } })
  })

  test('2-employee an employee has id, name, department and salary', async () => {
    const employee = JSON.parse(await read('/employees/1'))
    expect(employee).toMatchObject({
      id: 1,
      name: expect.any(String),
      department: expect.any(String),
      salary: expect.any(Number),
    })
    const { id, name, department, salary } = employee
    const start = `<employee><id>${id}</id><name>${name}</name><department>${department}</department>`
    expect(await read('/employees/1', 'application/xml')).toContain(`${start}<salary>${salary}</salary>`)
  })

  test('2-order an order has id, status and _links', async () => {
    expect(JSON.parse(await read('/orders/1', 'application/hal+json'))).toMatchObject({
      id: 1,
      status: 'PAID',
      _links: { self: { href: '/orders/1' } },
    })
    expect(JSON.parse(await read('/orders/2'))).toMatchObject({ id: 2, status: 'SHIPPED', _links: expect.any(Object) })
  })

  test('2-error an Error record has its five fields and no internals', async () => {
    const calls: [string, string, number, string][] = [
      ['GET', '/employees/99999', 404, 'Not Found'],
      ['GET', '/employees?page=-1', 400, 'Bad Request'],
      ['DELETE', '/employees', 405, 'Method Not Allowed'],
      ['POST', '/employees', 415, 'Unsupported Media Type'],
    ]
    for (const [method, path, status, error] of calls) {
      const { text } = await service.check({ as: 'ada', method, path, body: 'x' }, { status })
      const answered = JSON.parse(text)
      expect(answered).toMatchObject({ ...record(status, answered.code), error, path: path.replace(/\?.*/, '') })
      expect(text).not.toMatch(/node_modules|\.ts\b|\\n\s+at |select |sqlite|postgres/i)
    }
  })

  test('2-links links are objects with href, by relation', async () => {
    for (const accept of ['application/json', 'application/hal+json']) {
      const { _links } = JSON.parse(await read('/employees?size=2&page=1', accept)) as Linked
      expect(Object.keys(_links ?? {})).toEqual(['self', 'first', 'previous', 'next', 'last'])
      for (const link of Object.values(_links ?? {})) expect(link.href).toMatch(/^\/employees\?/)
    }
  })

  test('2-relations every relation of the list has its place', async () => {
    const seen = new Set<string>()
    const look = ({ _links = {}, items = [] }: Linked): void => {
      for (const relation of Object.keys(_links)) seen.add(relation)
      items.forEach(look)
    }
    const paths = ['/employees?size=100', '/employees?page=1&size=2', '/orders/1', '/orders/2', '/orders/3']
    for (const path of paths) look(JSON.parse(await read(path, 'application/json')))
    for (const path of ['/employees/1', '/employees/2']) look(JSON.parse(await read(path, 'application/hal+json')))
    expect(RELATIONS.filter((relation) => !seen.has(relation))).toEqual([])
  })

  test('2-1 every representation with links carries self', async () => {
    const paths = ['/employees', '/employees/1', '/orders', '/orders/2', '/customers/1/orders', '/departments/1', '/']
    for (const path of paths) {
      const { _links, items = [] } = JSON.parse(await read(path)) as Linked
      expect(_links?.['self']?.href, path).toContain(path)
      for (const item of items) if (item._links) expect(item._links).toHaveProperty('self')
    }
  })

  test('2-2 every link returns 200, from the root on', async () => {
    const { address, port } = { address: '127.0.0.1', port: new URL(service.running.adminUrl).port }
    const known = new Set(['/'])
    for (const path of known) {
      const { text, headers } = await service.check({ as: 'ada', path }, { status: 200 })
      if (!/json/.test(headers['content-type'] ?? '')) continue
      const body = JSON.parse(text) as Linked
      const sources = [body, ...(body.items ?? []).slice(0, 2)]
      for (const { _links = {} } of sources) {
        for (const [relation, { href }] of Object.entries(_links)) {
          expect(href, `${relation} of ${path}`).not.toMatch(new RegExp(`${address}|:${port}|internal`))
          // A template is not a link yet, and tokens are created by POST.
          const target = href.replace(/\{\?[^}]*\}/, '')
          if (relation !== 'tokens' && !target.includes('{') && known.size < 250) known.add(target)
        }
      }
    }
    expect(known.size).toBeGreaterThan(40)
  })

  test('2-3 the same relation leads to the same kind of resource', async () => {
    const relations = new Map<string, Set<string>>()
    for (const path of ['/employees?size=100', '/orders?size=100', '/departments?size=100', '/customers?size=100'])
      for (const { _links = {} } of (JSON.parse(await read(path)) as Linked).items ?? [])
        for (const [relation, { href }] of Object.entries(_links)) {
          if (['self', 'update', 'delete'].includes(relation)) continue
          relations.set(
            relation,
            (relations.get(relation) ?? new Set()).add(href.replace(/\d+/g, '{id}').replace(/\?.*/s, '')),
          )
        }
    const kinds = Object.fromEntries([...relations].map(([relation, hrefs]) => [relation, [...hrefs]]))
    expect(kinds).toMatchObject({ department: ['/departments/{id}'], cancel: ['/orders/{id}/cancellation'] })
    for (const [relation, hrefs] of relations) {
      const last = [...hrefs].map((href) => href.replaceAll('/{id}', '').split('/').at(-1))
      expect(new Set(last).size, relation).toBe(1)
    }
  })

  test('3-order an order goes from CREATED to PAID to SHIPPED to DELIVERED, and not otherwise', async () => {
    const json = { customerId: 1, items: [{ productId: 3, quantity: 1 }] }
    const { headers } = await service.check({ as: 'ada', method: 'POST', path: '/orders', json }, { status: 201 })
    const path = headers['location'] ?? ''
    const become = (status: string, answered: number): Promise<unknown> =>
      service.check({ as: 'ada', method: 'PATCH', path, json: { status } }, { status: answered })
    await become('SHIPPED', 409)
    const pay = { as: 'ada', method: 'POST', path: `${path}/payment`, json: { method: 'CARD' } }
    await service.check({ ...pay, headers: { 'idempotency-key': `pay-${path}` } }, { status: 201 })
    await service.check({ as: 'ada', path }, { body: { status: 'PAID' } })
    await become('DELIVERED', 409)
    await become('SHIPPED', 200)
    await become('CANCELLED', 409)
    await become('DELIVERED', 200)
    const { text } = await service.check({ as: 'ada', path }, { body: { status: 'DELIVERED' } })
    expect(Object.keys(JSON.parse(text)._links)).toEqual(expect.arrayContaining(['self', 'tracking', 'invoice']))
  })

  test('4.1-paths paths are lowercase nouns without extensions', async () => {
    const { _links = {} } = JSON.parse(await read('/')) as Linked
    const paths = Object.values(_links).map(({ href }) => href.replace(/\/?\{[^}]*\}|\?.*/g, ''))
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) expect(path).toMatch(/^\/(\.?[a-z]+(-[a-z]+)*(\/[a-z-]+)*)?(\.json)?$/)
    for (const path of ['/employees.json', '/employees/1.xml', '/getEmployees', '/tbl_employees'])
      await service.check({ as: 'ada', path }, { status: 404 })
  })

  test('6-events sends no events by default, and has no subscriptions', async () => {
    const description = JSON.parse(await read('/openapi.json'))
    expect(Object.keys(description.paths).length).toBeGreaterThan(20)
    expect(description).not.toHaveProperty('webhooks')
    expect(JSON.stringify(description)).not.toContain('"callbacks"')
    for (const path of ['/webhooks', '/subscriptions', '/events'])
      await service.check({ as: 'ada', path }, { status: 404, body: record(404, 'ROUTE_NOT_FOUND') })
  })
})
