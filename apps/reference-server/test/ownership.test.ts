import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { collections, documents } from '../src/domain/collections.ts'
import type { Collection, Method } from '../src/engine/define.ts'
import { ALL_SCOPES } from '../src/security/scopes.ts'
import { basic, onEveryDatabase, type Service } from './service.ts'

const ISSUER = 'https://issuer.example'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const SVC_SIGNING_KEY = JSON.stringify(await exportJWK(privateKey))

/** Every scope but the one that lifts. */
const SCOPES = ALL_SCOPES.filter((scope) => scope !== 'users:admin').join(' ')

function sign(claims: JWTPayload): Promise<string> {
  return new SignJWT({ jti: '1', client_id: 'app', scope: SCOPES, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setIssuer(ISSUER)
    .setAudience('svc-reference-server')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)
}

// Carl is the user 6 and the customer 1.
const CARLS_ORDERS = 'select "id" from "orders" where "customerId" = 1'
const CARLS_ACCOUNTS = 'select "id" from "accounts" where "userId" = 6'
const EUR = { amount: '1.00', currency: 'EUR' }

interface Ownership {
  /** Condition of SQL: the rows that are Carl's. */
  carls: string
  /** Condition of SQL: a row of another user that every method can be tried with. */
  other: string
  /** A new item that would be another user's. */
  post?: { path?: string; json: object }
  patch?: object
}

/**
 * Who owns what, a second time and in other words. A collection that is missing here fails the
 * first test.
 */
const OWNERSHIP: Readonly<Record<string, Ownership>> = {
  customers: {
    carls: '"id" = 1',
    other: '"id" = 2',
    post: { json: { name: 'Nobody', email: 'nobody@example.com' } },
    patch: { name: 'Moved' },
  },
  orders: {
    carls: '"customerId" = 1',
    other: `"customerId" <> 1 and "status" = 'CREATED'`,
    post: { json: { customerId: 2, items: [{ productId: 1, quantity: 1 }] } },
    patch: { status: 'CANCELLED' },
  },
  items: {
    carls: `"orderId" in (${CARLS_ORDERS})`,
    other: `"orderId" in (select "id" from "orders" where "customerId" <> 1 and "status" = 'CREATED')`,
    post: { json: { productId: 2, quantity: 1 } },
    patch: { quantity: 2 },
  },
  payments: {
    carls: `"orderId" in (${CARLS_ORDERS})`,
    other: `"orderId" not in (${CARLS_ORDERS})`,
    post: { json: { orderId: 0, amount: EUR, method: 'CARD' } },
  },
  users: {
    carls: '"id" = 6',
    other: '"id" = 7',
    post: { json: { username: 'mallory', email: 'mallory@example.com', password: 'a long password' } },
    patch: { displayName: 'Moved' },
  },
  accounts: {
    carls: '"userId" = 6',
    other: '"userId" = 7',
    post: { json: { userId: 7, currency: 'EUR' } },
    patch: { status: 'FROZEN' },
  },
  transfers: {
    carls: `"fromAccountId" in (${CARLS_ACCOUNTS}) or "toAccountId" in (${CARLS_ACCOUNTS})`,
    other: `"fromAccountId" not in (${CARLS_ACCOUNTS}) and "toAccountId" not in (${CARLS_ACCOUNTS})`,
    post: { json: { fromAccountId: 7, toAccountId: 6, amount: EUR } },
  },
  reviews: { carls: '"userId" = 6', other: '"userId" <> 6' },
}

const isOwned = (collection: Collection): boolean => {
  const parent = collections.find(({ name }) => name === collection.parent)
  return collection.owner !== undefined || (parent !== undefined && isOwned(parent))
}
const owned = collections.filter(isOwned)

test('every collection that belongs to somebody is in the table', () => {
  expect(owned.map(({ name }) => name).sort()).toEqual(Object.keys(OWNERSHIP).sort())
})

test('every collection that refers to one that is owned is owned itself', () => {
  const names = new Set(owned.map(({ name }) => name))
  const columns = new Set(['userId', 'customerId', 'accountId', 'orderId'])
  for (const collection of collections) {
    const refersTo = [...Object.values(collection.references), collection.parent ?? '']
    const refers =
      refersTo.some((name) => names.has(name)) || Object.keys(collection.fields).some((f) => columns.has(f))
    if (refers) expect(names, collection.name).toContain(collection.name)
  }
})

test('every owned collection declares itself what lifts, to read and to write', () => {
  for (const { name, owner } of owned) {
    expect(owner?.liftedBy, name).toBeDefined()
    expect(owner?.liftedBy.write.roles ?? [], name).not.toContain('reader')
    for (const lift of [owner?.liftedBy.read, owner?.liftedBy.write])
      expect(lift?.roles ?? [], name).not.toContain('customer')
  }
})

interface Known {
  name: string
  headers: Record<string, string>
}

type Row = Record<string, string | number | bigint | null>

onEveryDatabase(
  'whoever is not lifted',
  (service: Service) => {
    const callers: Known[] = []
    const bearer = async (claims: JWTPayload): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await sign(claims)}`,
    })
    const subjectOf = async (as: string): Promise<string> => {
      const call = { as, method: 'POST', path: '/tokens', headers: FORM, body: 'grant_type=client_credentials' }
      const { text } = await service.check(call, { status: 200 })
      return String(decodeJwt(JSON.parse(text).access_token).sub)
    }

    beforeAll(async () => {
      const sub = await subjectOf('carl')
      callers.push({ name: 'a customer by password', headers: { authorization: basic('carl') } })
      for (const roles of [undefined, [], ['user'], ['Customer'], ['admin'], ['Admin', 'STAFF'], ['staff', 'customer']])
        callers.push({ name: `a customer with roles ${JSON.stringify(roles)}`, headers: await bearer({ sub, roles }) })
      for (const roles of [
        undefined,
        [],
        ['user'],
        ['Admin'],
        ['ADMIN', 'Staff', 'reader '],
        ['customer'],
        ['__proto__'],
      ])
        callers.push({
          name: `a ghost with roles ${JSON.stringify(roles)}`,
          headers: await bearer({ sub: 'ghost-77', roles }),
        })
      callers.push({
        name: 'a ghost with a scope that is called like a role',
        headers: await bearer({ sub: 'ghost-78', scope: `${SCOPES} admin staff reader` }),
      })
      callers.push({ name: 'a user without roles', headers: { authorization: basic('sam') } })
    })

    const select = async (collection: Collection, condition: string): Promise<Row[]> => {
      const { sqlite, pool } = service.running.database.native as {
        sqlite?: { prepare(sql: string): { all(): Row[] } }
        pool?: { query(sql: string): Promise<{ rows: Row[] }> }
      }
      const sql = `select * from "${collection.table}" where ${condition} order by "id"`
      return sqlite ? sqlite.prepare(sql).all() : ((await pool?.query(sql))?.rows ?? [])
    }
    const tableOf = ({ name }: Collection): Ownership => OWNERSHIP[name] as Ownership
    const otherOf = async (collection: Collection): Promise<Row> => {
      const [row] = await select(collection, tableOf(collection).other)
      if (!row) throw new Error(`nobody else has ${collection.name}`)
      return row
    }
    const listPath = ({ path }: Collection, row: Row): string =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))
    const bodyOf = async (path: string): Promise<object> => {
      const { _links, ...body } = JSON.parse((await service.check({ as: 'ada', path }, { status: 200 })).text)
      return body
    }
    let keys = 0
    /** A change of another user's item, or a new one of another user. */
    const callFor = async (collection: Collection, method: Method) => {
      const row = await otherOf(collection)
      const list = listPath(collection, row)
      const { post, patch } = tableOf(collection)
      const headers = { 'idempotency-key': `"own-${process.pid}-${keys++}"` }
      if (method === 'POST') {
        const json: Row = { ...(post?.json as Row) }
        if (json['orderId'] === 0) Object.assign(json, await unpaid())
        return { method, path: list, headers, json }
      }
      const path = `${list}/${row['id']}`
      const json = method === 'PATCH' ? patch : method === 'PUT' ? await bodyOf(path) : undefined
      return { method, path, ...(json && { json }) }
    }
    /** An order of another customer that waits for its payment. */
    const unpaid = async (): Promise<object> => {
      const order = collections.find(({ name }) => name === 'orders') as Collection
      const [row] = await select(order, tableOf(order).other)
      const { id, total } = (await bodyOf(`/orders/${row?.['id']}`)) as { id: number; total: object }
      return { orderId: id, amount: total }
    }
    const contents = async (): Promise<string> => {
      const tables = await Promise.all(owned.map((collection) => select(collection, '1 = 1')))
      return JSON.stringify(tables, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    }

    describe.each(owned.map((collection) => [collection.name, collection] as const))('of %s', (_name, collection) => {
      test.skipIf(collection.publicRead)('sees a page of their own alone (needs a private collection)', async () => {
        const row = await otherOf(collection)
        const mine = new Set((await select(collection, tableOf(collection).carls)).map(({ id }) => String(id)))
        const path = listPath(collection, row)
        for (const { name, headers } of callers) {
          const query = { method: 'QUERY', json: { size: 100 } }
          for (const call of [
            { path: `${path}?size=100` },
            { path: `${path}?size=100&sort=-id` },
            { path, ...query },
          ]) {
            const answer = await service.check({ ...call, headers }, {})
            if (answer.status === 403) continue
            expect(answer.status, `${name}: ${answer.text}`).toBe(200)
            const ids = JSON.parse(answer.text).items.map(({ id }: { id: unknown }) => String(id))
            const isCarl = name.startsWith('a customer')
            for (const id of ids) expect(isCarl && mine.has(id), `${name} sees ${collection.name} ${id}`).toBe(true)
            expect(JSON.parse(answer.text).page.totalElements, name).toBe(isCarl ? mine.size : 0)
          }
        }
      })

      test.skipIf(collection.publicRead)(
        "does not see what is another user's (needs a private collection)",
        async () => {
          const row = await otherOf(collection)
          const path = `${listPath(collection, row)}/${row['id']}`
          for (const { name, headers } of callers)
            for (const method of ['GET', 'HEAD'])
              expect((await service.check({ method, path, headers }, {})).status, `${name} ${method} ${path}`).toBe(403)
          await service.check({ as: 'ada', path }, { status: 200 })
        },
      )

      test.each(collection.methods.filter((method) => method !== 'GET'))(
        'does not %s for another user',
        async (method) => {
          // A review is the caller's own by what the service sets: there is none to write for
          // another user.
          if (collection.name === 'reviews' && method === 'POST') return
          const before = await contents()
          const call = await callFor(collection, method)
          const deferred: Promise<void>[] = []
          for (const { name, headers } of callers) {
            const answer = await service.check({ ...call, headers: { ...call.headers, ...headers } }, {})
            expect(answer.status, `${name} ${method} ${call.path}: ${answer.text}`).toBe(403)
            if (collection.deferrable) {
              const prefer = {
                ...call.headers,
                ...headers,
                prefer: 'respond-async',
                'idempotency-key': `"late-${keys++}"`,
              }
              const late = await service.check({ ...call, headers: prefer }, {})
              if (late.status === 202) deferred.push(failed(late.headers['location'] ?? '', headers))
              else expect(late.status, name).toBe(403)
            }
          }
          await Promise.all(deferred)
          expect(await contents()).toBe(before)
        },
      )
    })

    const failed = async (path: string, headers: Record<string, string>): Promise<void> => {
      await expect
        .poll(
          async () => {
            const answer = await service.check({ path, headers }, {})
            return answer.status === 403 ? 'FAILED' : JSON.parse(answer.text).status
          },
          { timeout: 20_000 },
        )
        .toBe('FAILED')
    }

    const below = documents.filter(({ parent }) => owned.some(({ name }) => name === parent))
    test.each(below.map((document) => [document.path, document] as const))(
      'does not reach %s of another user',
      async (path, document) => {
        const parent = collections.find(({ name }) => name === document.parent) as Collection
        const row = await otherOf(parent)
        const target = path.replace('{id}', String(row['id']))
        const before = await contents()
        for (const { name, headers } of callers) {
          expect((await service.check({ path: target, headers }, {})).status, name).toBe(403)
          if (!document.post) continue
          const call = {
            method: 'POST',
            path: target,
            json: { method: 'CARD' },
            headers: { ...headers, 'idempotency-key': `"doc-${keys++}"` },
          }
          expect((await service.check(call, {})).status, name).toBe(403)
        }
        expect(await contents()).toBe(before)
      },
    )

    const views = owned.flatMap((collection) =>
      collection.nestedPaths.map((view) => [view.path, collection, view] as const),
    )
    test.each(views)('does not reach %s of another user', async (path, collection, { parent, methods }) => {
      const above = collections.find(({ name }) => name === parent) as Collection
      const row = await otherOf(above)
      const target = path.replace(/\{\w+\}/, String(row['id']))
      const before = await contents()
      for (const { name, headers } of callers) {
        expect((await service.check({ path: target, headers }, {})).status, name).toBe(403)
        if (!methods.includes('POST')) continue
        const { customerId: _, ...json } = tableOf(collection).post?.json as Row
        expect((await service.check({ method: 'POST', path: target, json, headers }, {})).status, name).toBe(403)
      }
      expect(await contents()).toBe(before)
    })

    test.each(owned.filter(({ publicRead }) => !publicRead).map((each) => [each.name, each] as const))(
      'exports nothing of another user from %s, now or later',
      async (_name, collection) => {
        const row = await otherOf(collection)
        const path = `${listPath(collection, row)}?size=all`
        const exportNothing = async ({ name, headers }: Known): Promise<void> => {
          const accept = { ...headers, accept: 'text/csv' }
          const now = await service.check({ path, headers: accept }, {})
          if (now.status !== 403) expect(now.text.trim().split('\r\n'), name).toHaveLength(1)
          const later = await service.check({ path, headers: { ...accept, prefer: 'respond-async' } }, {})
          if (later.status === 403) return
          expect(later.status, name).toBe(202)
          const operation = later.headers['location'] ?? ''
          await expect
            .poll(async () => JSON.parse((await service.check({ path: operation, headers }, {})).text).status, {
              timeout: 20_000,
            })
            .toBe('SUCCEEDED')
          const file = await service.check({ path: `${operation}/result`, headers }, { status: 200 })
          expect(file.text.trim().split('\r\n'), name).toHaveLength(1)
        }
        await Promise.all(callers.map(exportNothing))
      },
    )

    test('sees no operation of another user, nor its file, and cancels none', async () => {
      const headers = { accept: 'text/csv', prefer: 'respond-async' }
      const { headers: answered } = await service.check(
        { as: 'ada', path: '/employees?size=all', headers },
        { status: 202 },
      )
      const operation = answered['location'] ?? ''
      for (const { name, headers } of callers)
        for (const call of [
          { path: operation },
          { path: `${operation}/result` },
          { path: operation, method: 'DELETE' },
        ])
          expect((await service.check({ ...call, headers }, {})).status, name).toBe(403)
      await service.check({ as: 'adam', path: operation }, { status: 200 })
    })

    test('has the cart of nobody else', async () => {
      const lines = (quantity: number) => ({ items: [{ productId: 1, quantity }] })
      for (const as of ['ada', 'cora'])
        await service.check({ as, method: 'PUT', path: '/cart', json: lines(9) }, { status: 200 })
      for (const { name, headers } of callers) {
        const isCarl = name.startsWith('a customer')
        const seen = await service.check({ path: '/cart', headers }, {})
        if (isCarl && seen.status === 200) expect(JSON.parse(seen.text).items, name).toEqual([])
        else expect(seen.status, name).toBe(403)
        for (const call of [
          { method: 'PUT', json: lines(1) },
          { method: 'PATCH', json: lines(2) },
          { method: 'DELETE' },
        ]) {
          const { status } = await service.check({ ...call, path: '/cart', headers }, {})
          if (!isCarl) expect(status, name).toBe(403)
        }
      }
      for (const as of ['ada', 'cora']) await service.check({ as, path: '/cart' }, { body: lines(9) })
    })

    test('has no account, review or link to a user that a ghost could take', async () => {
      for (const { name, headers } of callers.filter(({ name }) => name.startsWith('a ghost'))) {
        const json = { rating: 5, title: 'Boo' }
        expect(
          (await service.check({ method: 'POST', path: '/products/1/reviews', json, headers }, {})).status,
          name,
        ).toBe(403)
        expect(
          (await service.check({ method: 'POST', path: '/accounts', json: { currency: 'EUR' }, headers }, {})).status,
          name,
        ).toBe(403)
        expect((await service.check({ path: '/users/me', headers }, {})).status, name).toBe(404)
      }
    })

    test('embeds nothing of another user', async () => {
      const [transfer] = await select(
        collections.find(({ name }) => name === 'transfers') as Collection,
        '"fromAccountId" = 7 and "toAccountId" = 6 or "fromAccountId" = 6 and "toAccountId" = 7',
      )
      const path = transfer ? `/transfers/${transfer['id']}?embed=from,to` : '/transfers?embed=from,to'
      const headers = { authorization: basic('carl'), accept: 'application/hal+json' }
      const { text } = await service.check({ path, headers }, { status: 200 })
      for (const [, userId] of text.matchAll(/"userId":(\d+)/g)) expect(userId).toBe('6')
    })

    describe('by SOAP', () => {
      const V1 = 'http://svc.example/ws/customer/v1'
      const message = (body: string): string =>
        `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${body}</e:Body></e:Envelope>`
      const post = (path: string, body: string, headers: Record<string, string>) =>
        service.check(
          {
            method: 'POST',
            path,
            headers: { ...headers, 'content-type': 'application/soap+xml; charset=utf-8' },
            body: message(body),
          },
          {},
        )

      test('gets no customer and makes none, and asks for prices', async () => {
        const before = await contents()
        for (const { name, headers } of callers) {
          const read = await post(
            '/ws/customer',
            `<GetCustomerRequest xmlns="${V1}"><customerId>2</customerId></GetCustomerRequest>`,
            headers,
          )
          expect(read.text, name).toContain('f:NotPermitted')
          const customer = '<customer><id>777</id><name>X</name><email>x@example.com</email></customer>'
          const made = await post(
            '/ws/customer',
            `<CreateCustomerRequest xmlns="${V1}">${customer}</CreateCustomerRequest>`,
            headers,
          )
          expect(made.text, name).toContain('f:NotPermitted')
          if (!name.startsWith('a ghost')) continue
          const price =
            '<GetPrice xmlns="http://svc.example/ws/price/v1"><Item>Laptop</Item><Category>Electronics</Category></GetPrice>'
          expect((await post('/ws/PriceService', price, headers)).status, name).toBe(200)
        }
        expect(await contents()).toBe(before)
      })
    })

    test('moves nothing by a role that may only read: a customer who is a reader too', async () => {
      const json = {
        username: 'carla',
        email: 'carla@example.com',
        password: 'carla-demo-demo',
        roles: ['customer', 'reader'],
      }
      await service.check({ as: 'ada', method: 'POST', path: '/users', json }, { status: 201 })
      const headers = { authorization: basic('carla', 'carla-demo-demo') }
      for (const collection of owned.filter(({ name }) => !['users', 'reviews'].includes(name))) {
        const row = await otherOf(collection)
        await service.check({ path: `${listPath(collection, row)}/${row['id']}`, headers }, { status: 200 })
        for (const method of collection.methods.filter((each) => each !== 'GET')) {
          const call = await callFor(collection, method)
          const { status, text } = await service.check({ ...call, headers: { ...call.headers, ...headers } }, {})
          expect(status, `${method} ${call.path}: ${text}`).toBe(403)
        }
      }
    })

    test('is no administrator of this service, who can do all of it', async () => {
      for (const collection of owned) {
        const row = await otherOf(collection)
        const { text } = await service.check(
          { as: 'ada', path: `${listPath(collection, row)}?size=100&sort=id` },
          { status: 200 },
        )
        expect(
          JSON.parse(text).items.map(({ id }: { id: unknown }) => String(id)),
          collection.name,
        ).toContain(String(row['id']))
        for (const method of collection.methods.filter((each) => each !== 'GET')) {
          if (collection.name === 'reviews' && method === 'POST') continue
          const answer = await service.check({ ...(await callFor(collection, method)), as: 'adam' }, {})
          expect([200, 201, 204, 409, 422], `${method} ${collection.name}: ${answer.text}`).toContain(answer.status)
        }
      }
    })
  },
  { SVC_JWT_ISSUER: ISSUER, SVC_SIGNING_KEY },
)
