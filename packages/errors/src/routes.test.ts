import { request } from 'node:http'
import { errors, type MethodNotAllowedOptions, methodNotAllowed } from '@svc/errors'
import express5 from 'express'
import express4 from 'express4'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'

const end = (_req: unknown, res: { end(text: string): void }): void => res.end('ok')

let running: RunningHost | undefined
afterEach(() => running?.close())

// @types/express are those of version 5; both versions have the members used here.
describe.each([
  ['express 4', express4],
  ['express 5', express5],
])('methodNotAllowed() on %s', (_version, express) => {
  async function serve(options?: MethodNotAllowedOptions, isNamed = false): Promise<string> {
    const app = express()
    app.get('/employees', end).post('/employees', end)
    app.route('/employees/:id').get(end).put(end).patch(end).delete(end)
    app.all('/employees/:id', (_req, _res, next) => next())
    app
      .route('/filtered')
      .all((_req, _res, next) => next())
      .get(end)
      .post(end)
    app.post(/^\/search$/, end)
    app.get(['/a', '/b'], end)
    app.get('/passes', (_req, _res, next) => next())

    const orders = express.Router()
    orders.get('/', end)
    orders.post('/:id/payment', end)
    const inner = express.Router()
    inner.put('/deep', end)
    orders.use('/:id/inner', inner)
    orders.get('/shared', end)
    orders.get('/own-options', end).options('/own-options', (_req, res) => void res.end('own'))
    orders.use('/own', methodNotAllowed())
    app.use('/orders', orders)
    app.put('/orders/shared', end)
    app.use('/', express.Router().get('/elsewhere', end))
    app.post('/later', end)

    for (const path of ['/sub', '/tenants/:tenant', /^\/pattern\d/]) {
      const sub = express()
      sub.delete('/thing', end)
      sub.use('/orders', express.Router().get('/:id', end).use('/:id', methodNotAllowed()))
      sub.use('/nested', express.Router().put('/a', end))
      sub.use(methodNotAllowed(), errors({ onError: () => {} }))
      app.use(path, sub)
    }

    app.use(isNamed ? methodNotAllowed(app, options) : methodNotAllowed(undefined, options))
    app.use(errors({ onError: () => {} }))
    running = await listen(app)
    return running.url
  }

  test.each([
    ['DELETE', '/employees', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/employees/7?x=y', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['DELETE', '/filtered', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/search', 'OPTIONS, POST'],
    ['HEAD', '/search', 'OPTIONS, POST'],
    ['PUT', '/b', 'GET, HEAD, OPTIONS'],
    ['PUT', '/EMPLOYEES/', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/orders', 'GET, HEAD, OPTIONS'],
    ['GET', '/orders/3/payment', 'OPTIONS, POST'],
    ['GET', '/orders/3/inner/deep', 'OPTIONS, PUT'],
    ['GET', '/sub/thing', 'DELETE, OPTIONS'],
    ['GET', '/tenants/7/thing', 'DELETE, OPTIONS'],
    ['PUT', '/sub/orders/3', 'GET, HEAD, OPTIONS'],
    ['PUT', '/tenants/7/orders/3', 'GET, HEAD, OPTIONS'],
    ['GET', '/pattern7/thing', 'DELETE, OPTIONS'],
    ['GET', '/sub/nested/a', 'OPTIONS, PUT'],
    ['QUERY', '/a', 'GET, HEAD, OPTIONS'],
  ])('responds to %s %s with 405 and Allow: %s (RFC 9110 §15.5.6)', async (method, path, allow) => {
    const url = await serve()
    const body = method === 'HEAD' ? '' : { code: 'METHOD_NOT_ALLOWED', message: `${method} is not supported here.` }
    await check(url, { method, path }, { status: 405, headers: { allow }, body })
  })

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/employees/7/x'],
    ['POST', '/orders/3/inner'],
    ['GET', '/sub/other'],
    ['OPTIONS', '/nowhere'],
    ['GET', '/passes'],
  ])('responds to %s %s with 404', async (method, path) => {
    const url = await serve()
    await check(
      url,
      { method, path },
      { status: 404, headers: { allow: undefined }, body: { code: 'ROUTE_NOT_FOUND' } },
    )
  })

  test.each([
    ['POST', 'http://localhost/a', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', 'HTTP://user@localhost:80/orders/3/inner/deep?a=/b', 405, 'OPTIONS, PUT'],
    ['GET', 'http://localhost/sub/thing', 405, 'DELETE, OPTIONS'],
    ['PUT', 'http://localhost/tenants/7/orders/3', 405, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', 'http://localhost/employees', 204, 'GET, HEAD, OPTIONS, POST'],
    ['OPTIONS', 'http://localhost/orders/shared', 204, 'GET, HEAD, OPTIONS, PUT'],
    ['OPTIONS', 'http://localhost/tenants/7/nested/a', 204, 'OPTIONS, PUT'],
    ['GET', 'http://localhost/a', 200, undefined],
    ['POST', 'http://localhost/nowhere', 404, undefined],
    ['POST', 'http://localhost', 404, undefined],
  ])(
    'responds to %s %s, in absolute form, with %i and Allow: %s (RFC 9112 §3.2.2)',
    async (method, path, ...expected) => {
      const url = await serve()
      const response = await new Promise<unknown[]>((resolve, reject) => {
        const req = request(url, { method, path, agent: false }, ({ statusCode, headers }) =>
          resolve([statusCode, headers.allow]),
        )
        req.on('error', reject).end()
      })
      expect(response).toEqual(expected)
    },
  )

  test('responds to OPTIONS with 204 and Allow (RFC 9110 §9.3.7)', async () => {
    const url = await serve()
    const answer = await check(
      url,
      { method: 'OPTIONS', path: '/employees' },
      {
        status: 204,
        headers: { allow: 'GET, HEAD, OPTIONS, POST', 'content-type': undefined },
      },
    )
    expect(answer.body).toHaveLength(0)
  })

  test.each([
    ['/orders', 'GET, HEAD, OPTIONS'],
    ['/orders/3/payment', 'OPTIONS, POST'],
    ['/orders/3/inner/deep?a=b', 'OPTIONS, PUT'],
    ['/orders/shared', 'GET, HEAD, OPTIONS, PUT'],
    ['/sub/nested/a', 'OPTIONS, PUT'],
    ['/tenants/7/nested/a', 'OPTIONS, PUT'],
    ['/pattern7/nested/a', 'OPTIONS, PUT'],
  ])('responds to OPTIONS %s of a nested router with 204 and Allow: %s', async (path, allow) => {
    const url = await serve()
    const answer = await check(
      url,
      { method: 'OPTIONS', path },
      { status: 204, headers: { allow, 'content-type': undefined, 'content-length': undefined } },
    )
    expect(answer.body).toHaveLength(0)
  })

  test('leaves OPTIONS to a route or middleware of a nested router that handles it', async () => {
    const url = await serve()
    await check(url, { method: 'OPTIONS', path: '/orders/own-options' }, { status: 200, body: 'own' })
    await check(url, { method: 'OPTIONS', path: '/later' }, { status: 204, headers: { allow: 'OPTIONS, POST' } })
  })

  test('returns the same Allow for an app that is passed as for the app that it is mounted in', async () => {
    const url = await serve(undefined, true)
    await check(url, { method: 'OPTIONS', path: '/orders/shared' }, { headers: { allow: 'GET, HEAD, OPTIONS, PUT' } })
    await check(url, { method: 'PUT', path: '/orders' }, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
  })

  test('serves several apps with one middleware', async () => {
    const handler = methodNotAllowed()
    const [first, second] = [express(), express()]
    first.use('/a', express.Router().get('/b', end))
    second.use('/a', express.Router().put('/b', end))
    first.use(handler)
    second.use(handler)
    for (const [app, allow] of [
      [first, 'GET, HEAD, OPTIONS'],
      [second, 'OPTIONS, PUT'],
    ] as const) {
      running = await listen(app)
      await check(running.url, { method: 'OPTIONS', path: '/a/b' }, { status: 204, headers: { allow } })
      await running.close()
    }
  })

  test('leaves OPTIONS to Express with onOptions next', async () => {
    const url = await serve({ onOptions: 'next' })
    await check(url, { method: 'OPTIONS', path: '/a' }, { status: 200, headers: { allow: /^GET,\s?HEAD$/ } })
    await check(url, { method: 'OPTIONS', path: '/orders' }, { status: 200, headers: { allow: /^GET,\s?HEAD$/ } })
  })
})

test('methodNotAllowed() accepts a router or an app', async () => {
  const router = express5.Router()
  router.get('/a', end)
  router.use(methodNotAllowed(router))
  const app = express5()
  app.use('/x', router)
  app.use(errors({ onError: () => {} }))
  running = await listen(app)
  await check(running.url, { method: 'PUT', path: '/x/a' }, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
})

test.each(Object.keys(hosts).filter((host) => !host.startsWith('express')))(
  'methodNotAllowed() on %s, whose routes cannot be read, is 404',
  async (host) => {
    running = await listen(
      (hosts[host] as (typeof hosts)[string])({
        middlewares: [methodNotAllowed()],
        onError: errors({ onError: () => {} }),
      }),
    )
    await check(running.url, { method: 'PUT' }, { status: 404, body: { code: 'ROUTE_NOT_FOUND' } })
  },
)

test('methodNotAllowed() rejects invalid options', () => {
  expect(() => methodNotAllowed(undefined, { onOptions: 'ignore' as 'next' })).toThrow(
    `errors: onOptions must be one of 'respond', 'next', got "ignore"`,
  )
})
