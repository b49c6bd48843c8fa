import { pipeline, Readable } from 'node:stream'
import { type IdempotencyOptions, idempotency, idempotencyOf, isStorable, memoryStore } from '@svc/idempotency'
import { idempotency as idempotencyFetch } from '@svc/idempotency/fetch'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { redisStore } from '@svc/idempotency/stores/redis'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { describe, expect, test, vi } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { counting, type Handler, hostNames, payment, serve, until } from './testing/service.ts'

const endings: Record<string, Handler> = {
  'end with text': (_req, res) => void res.end('text'),
  'end with bytes': (_req, res) => void res.end(Buffer.from([0, 255, 1, 254])),
  'end with another encoding': (_req, res) => void res.end('00ff', 'hex'),
  'end with nothing': (_req, res) => void res.end(),
  'write and end': (_req, res) => {
    res.write('a')
    res.write(Buffer.from([0xff, 0]))
    res.end('z')
  },
  'write and then end': (_req, res) => {
    res.write('a')
    setImmediate(() => res.end())
  },
  'writeHead and nothing': (_req, res) => void res.writeHead(204).end(),
  'writeHead with fields': (_req, res) => void res.writeHead(201, { 'Content-Type': 'text/plain' }).end('é'),
  'a piped stream': (_req, res) => void Readable.from([Buffer.alloc(70_000, 1), Buffer.alloc(5, 2)]).pipe(res),
  'a pipeline': (_req, res) => void pipeline(Readable.from(['a', 'b']), res, () => {}),
  'an answer that comes later': (_req, res) => void setImmediate(() => res.end('later')),
  'json of Express, or of us': (_req, res) => {
    const { json } = res as { json?: (value: unknown) => void }
    if (json) return void json.call(res, { a: 'é' })
    res.setHeader('Content-Type', 'application/json')
    res.end('{"a":"é"}')
  },
}

function fail(message: string): never {
  throw new Error(message)
}

describe.each(hostNames)('idempotent on %s', (host) => {
  const run = (handler: Handler, use: (url: string) => Promise<void>, options?: IdempotencyOptions) =>
    serve(host, { middlewares: [idempotency(options)], handler }, use)

  test.each(Object.keys(endings))('replays %s byte for byte, without the handler', async (ending) => {
    let runs = 0
    const handler: Handler = (req, res) => {
      runs++
      res.setHeader('Link', ['</a>; rel="a"', '</b>; rel="b"'])
      endings[ending]?.(req, res)
    }
    await run(handler, async (url) => {
      const fresh = { link: '</a>; rel="a", </b>; rel="b"', 'idempotent-replayed': undefined }
      const first = await check(url, payment('a'), { headers: fresh })
      const second = await check(url, payment('a'), { headers: { ...fresh, 'idempotent-replayed': 'true' } })
      expect(second.status).toBe(first.status)
      expect(second.body).toEqual(first.body)
      expect(second.headers['content-type']).toBe(first.headers['content-type'])
      expect(second.headers.etag).toBe(first.headers.etag)
      expect(runs).toBe(1)
    })
  })

  test('reports the key to the handler, and a replay to earlier middleware', async () => {
    const seen: unknown[] = []
    const watch: Middleware = (req, res, next) => {
      res.once('finish', () => void seen.push(idempotencyOf(req)?.replayed))
      next()
    }
    const handler: Handler = (req, res) => {
      const { key, attempt, replayed, transaction } = idempotencyOf(req) ?? {}
      res.end(JSON.stringify({ key, attempt, replayed, transaction: transaction ?? null }))
    }
    await serve(host, { middlewares: [watch, idempotency()], handler }, async (url) => {
      await check(url, payment('a'), { body: { key: 'a', attempt: 1, replayed: false, transaction: null } })
      await check(url, payment('a'), { status: 200 })
      await check(url, { method: 'POST', body: '{}' }, { body: { transaction: null } })
    })
    expect(seen).toEqual([false, true, undefined])
  })

  test.each([
    ['without a key', undefined, 'ERR_IDEMPOTENCY_KEY_MISSING'],
    ['with an empty key', '', 'ERR_IDEMPOTENCY_KEY_INVALID'],
    ['with two keys', ['a', 'b'], 'ERR_IDEMPOTENCY_KEY_INVALID'],
    ['with two keys that would join to one', ['"a', 'b"'], 'ERR_IDEMPOTENCY_KEY_INVALID'],
    ['with a key of 256 characters', 'x'.repeat(256), 'ERR_IDEMPOTENCY_KEY_INVALID'],
  ])('rejects a request %s with 400', async (_, key, code) => {
    const { handler, runs } = counting()
    let seen: string | undefined
    const onRefused: IdempotencyOptions['onRefused'] = (error, _req, res) => {
      seen = error.code
      res.writeHead(error.status).end()
    }
    const headers: Record<string, string | string[]> = key === undefined ? {} : { 'Idempotency-Key': key }
    await run(
      handler,
      async (url) => {
        await check(url, { method: 'POST', headers, body: '{}' }, { status: 400 })
        expect(seen).toBe(code)
        expect(runs()).toBe(0)
      },
      { required: true, onRefused },
    )
  })

  test('counts once if a request passes it twice', async () => {
    const { handler, runs } = counting()
    const middleware = idempotency()
    const middlewares = [middleware, middleware, idempotency({ required: true })]
    await serve(host, { middlewares, handler }, async (url) => {
      await check(url, payment('a'), { status: 201, body: '{"id":1}' })
      await check(url, payment('a'), { status: 201, body: '{"id":1}', headers: { 'idempotent-replayed': 'true' } })
      expect(runs()).toBe(1)
    })
  })

  test('rejects a client that is authenticated without a name, unless user returns one', async () => {
    const { handler } = counting()
    const withCookie = payment('a', { headers: { Cookie: 'session=1' } })
    await run(handler, async (url) => {
      await check(url, withCookie, { status: 500, body: /could not process/ })
      await check(url, payment('a'), { status: 201 })
    })
    const user: IdempotencyOptions['user'] = async (req) => String(req.headers.cookie)
    await run(handler, async (url) => void (await check(url, withCookie, { status: 201 })), { user })
  })

  test.each(['user', 'fingerprint', 'version'] as const)('runs nothing when %s() fails', async (name) => {
    const { handler, runs } = counting()
    const failing = () => {
      throw new Error('secret detail')
    }
    await run(
      handler,
      async (url) => {
        const answer = await send(url, payment('a'))
        expect(answer.status).toBe(500)
        expect(answer.text).not.toContain('secret')
        expect(runs()).toBe(0)
      },
      { [name]: failing, onRefused: 'json' },
    )
  })

  test.each([
    [{ user: () => 7 }, 'idempotency: user must return the name of the authenticated user as a string, got 7'],
    [{ fingerprint: () => undefined }, 'idempotency: fingerprint must return a string, got undefined'],
    [{ fingerprint: async () => 7 }, 'idempotency: fingerprint must return a string, got 7'],
  ])('runs nothing if an option returns something other than a string: %o', async (returning, message) => {
    const { handler, runs } = counting()
    const messages: string[] = []
    const onRefused: IdempotencyOptions['onRefused'] = (error, _req, res) => {
      messages.push(error.message, String(error.cause))
      res.writeHead(error.status).end()
    }
    const options = { ...returning, onRefused } as never
    await run(handler, async (url) => void (await check(url, payment('a'), { status: 500 })), options)
    expect(messages).toContainEqual(expect.stringContaining(message))
    expect(runs()).toBe(0)
  })

  test('stores what shouldStore or the handler decides', async () => {
    const handler: Handler = (req, res) => {
      const { url = '' } = req
      if (url === '/commit') idempotencyOf(req)?.commit()
      if (url === '/release') idempotencyOf(req)?.release()
      res.writeHead(url === '/release' ? 201 : 404).end()
    }
    const shouldStore: IdempotencyOptions['shouldStore'] = (status) => (status === 404 ? false : undefined)
    await run(
      handler,
      async (url) => {
        for (const [path, replayed] of [
          ['/commit', 'true'],
          ['/release', undefined],
          ['/', undefined],
        ] as const) {
          await send(url, payment(path, { path }))
          await check(url, payment(path, { path }), { headers: { 'idempotent-replayed': replayed } })
        }
      },
      { shouldStore },
    )
  })

  test.each([
    ['throws', () => fail('hook')],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('stores by default if shouldStore %s: no retry runs', async (_, shouldStore) => {
    const { handler, runs } = counting()
    await run(
      handler,
      async (url) => {
        await check(url, payment('a'), { status: 201 })
        await check(url, payment('a'), { status: 201, headers: { 'idempotent-replayed': 'true' } })
        expect(runs()).toBe(1)
      },
      { shouldStore: shouldStore as never, warnings: false },
    )
  })

  test.each([
    ['required', { required: true }, 503],
    ['optional', {}, 201],
    ['optional, and refusing', { onStoreError: 'reject' as const }, 503],
  ])('responds without a store: %s', async (_, options, status) => {
    const { handler } = counting()
    const store = { ...memoryStore(), acquire: () => Promise.reject(new Error('down')) } as never
    await run(
      handler,
      async (url) => {
        await check(url, payment('a'), { status, headers: { 'idempotent-replayed': undefined } })
      },
      { store, ...options },
    )
  })

  test('sends a response that could not be stored: the work is done', async () => {
    const { handler } = counting()
    const store = memoryStore()
    vi.spyOn(store, 'complete').mockImplementation(() => {
      throw new Error('down')
    })
    await run(handler, async (url) => void (await check(url, payment('a'), { status: 201 })), { store })
  })
})

test('warns once if shouldStore fails', async () => {
  const warned: Error[] = []
  const listen = (warning: Error): void => void warned.push(warning)
  process.on('warning', listen)
  const { handler } = counting()
  const keyed = idempotency({ shouldStore: () => fail('hook') })
  await serve('node:http', { middlewares: [keyed], handler }, async (url) => {
    for (const key of ['a', 'b']) await check(url, payment(key), { status: 201 })
  })
  process.off('warning', listen)
  expect(warned).toMatchObject([
    { code: 'WRN_IDEMPOTENCY_HOOK_FAILED', message: expect.stringContaining('shouldStore failed: hook.') },
  ])
})

test('has configurable header names and strict syntax', async () => {
  const { handler } = counting()
  const options = { header: 'X-Request-Key', replayedHeader: 'X-Replayed', strict: true } as const
  await serve('node:http', { middlewares: [idempotency(options)], handler }, async (url) => {
    const literal = (key: string) => ({ method: 'POST', headers: { 'x-request-key': key }, body: '{}' })
    await check(url, literal('a'), { status: 400 })
    await check(url, literal('"a"'), { status: 201 })
    await check(url, literal('"a"'), { status: 201, headers: { 'x-replayed': 'true' } })
  })
})

test.each([
  ['https://docs.example/keys?a#b', 'https://docs.example/keys?a#b'],
  ['https://docs.example/キー', 'https://docs.example/%E3%82%AD%E3%83%BC'],
  ['https://docs.example/?>; rel="next"', 'https://docs.example/?%3E;%20rel=%22next%22'],
  ['/docs/keys', '/docs/keys'],
  ['/é>', '/%C3%A9%3E'],
])('sends docsUrl as a header can carry it: %s', async (docsUrl, uri) => {
  const { handler } = counting()
  const options = { required: true, docsUrl }
  await serve('node:http', { middlewares: [idempotency(options)], handler }, async (url) => {
    await check(url, { method: 'POST' }, { status: 400, headers: { link: `<${uri}>; rel="describedby"` } })
  })
})

test('waits always or never, if the option says so', async () => {
  for (const [wait, statuses] of [
    ['always', [201, 201]],
    ['never', [201, 409]],
  ] as const) {
    let finish: (() => void) | undefined
    let arrived = 0
    const counter: Middleware = (_req, _res, next) => {
      arrived++
      next()
    }
    const handler: Handler = (_req, res) => void (finish = () => res.writeHead(201).end())
    await serve('node:http', { middlewares: [counter, idempotency({ wait })], handler }, async (url) => {
      const prefer = payment('a', { headers: { Prefer: 'wait=9' } })
      const answers = [
        send(url, wait === 'never' ? prefer : payment('a')),
        send(url, wait === 'never' ? prefer : payment('a')),
      ]
      await until(() => arrived === 2 && finish !== undefined)
      if (wait === 'never') await Promise.race(answers)
      finish?.()
      const settled = await Promise.all(answers)
      expect(settled.map(({ status }) => status).sort()).toEqual(statuses)
      expect(settled.map(({ headers }) => headers['preference-applied'])).toEqual([undefined, undefined])
    })
  }
})

test('stores a fingerprint of the option as a hash', async () => {
  const store = memoryStore()
  const fingerprint: IdempotencyOptions['fingerprint'] = (_req, body) => `\0${body}`
  await serve('node:http', { ...counting(), middlewares: [idempotency({ store, fingerprint })] }, async (url) => {
    await check(url, payment('a'), { status: 201 })
    await check(url, payment('a', { body: '{}' }), { status: 422 })
  })
  expect(store.list(1)[0]?.fingerprint).toMatch(/^[\da-f]{64}$/)
})

test.each([
  [{ requird: true }, 'idempotency: unknown option "requird", did you mean "required"?'],
  [{ maxBodyBytes: -1 }, 'idempotency: maxBodyBytes must be an integer of 1 or more, got -1'],
  [{ wait: 5 }, "idempotency: wait must be one of 'prefer', 'always', 'never', got 5"],
  [{ user: 'ip' }, 'idempotency: user must be a function, got "ip"'],
  [{ header: 'a b' }, 'idempotency: header must be the name of a header, got "a b"'],
  [
    { storedHeaders: ['Set-Cookie'] },
    'idempotency: storedHeaders must not contain "Set-Cookie": it belongs to one response only',
  ],
  [{ strict: 'yes' }, 'idempotency: strict must be true or false, got "yes"'],
  [{ methods: 'POST' }, 'idempotency: methods must be an array of strings, got "POST"'],
  [{ storedHeaders: 'ETag' }, 'idempotency: storedHeaders must be an array of strings, got "ETag"'],
  [{ maxWaitMs: 2 ** 31 }, 'idempotency: maxWaitMs must be an integer from 1 to 2147483647, got 2147483648'],
  [{ docsUrl: 5 }, 'idempotency: docsUrl must be a string, got 5'],
  [{ docsUrl: 'docs.example' }, 'idempotency: docsUrl must be a URL or a path, got "docs.example"'],
  [{ docsUrl: 'https://' }, 'idempotency: docsUrl must be a URL or a path, got "https://"'],
  [{ warnings: 'none' }, 'idempotency: warnings must be true, false or an object by code, got "none"'],
  [
    { warnings: { WRN_IDEMPOTENCY_COOKIES_IGNORED: false } },
    'idempotency: warnings: unknown option "WRN_IDEMPOTENCY_COOKIES_IGNORED", did you mean "WRN_IDEMPOTENCY_COOKIE_IGNORED"?',
  ],
  [{ onRefused: 'record' }, "idempotency: onRefused must be one of 'next', 'json', or a function, got \"record\""],
  [
    { onStoreError: 'run' },
    "idempotency: onStoreError must be one of 'allow', 'reject', 'local', or a function, got \"run\"",
  ],
])('rejects the options %j', (options, message) => {
  expect(() => idempotency(options as never)).toThrow(new TypeError(message))
})

test.each<[unknown, unknown[], string]>([
  [idempotencyFetch, [{ onRefused: 'next' }], "onRefused must be one of 'json', 'throw', or a function, got \"next\""],
  [memoryStore, [{ now: 5 }], 'idempotency: memoryStore: now must be a function, got 5'],
  [redisStore, [async () => 1, { prefix: 5 }], 'idempotency: redisStore: prefix must be a string, got 5'],
  [sqliteStore, [], 'idempotency: sqliteStore: database must be an SqliteDatabase such as'],
  [postgresStore, [], 'idempotency: postgresStore: pool must be a PostgresPool such as Pool of pg, got undefined'],
  [
    postgresStore,
    [{ connect: async () => {} }, { table: null }],
    'idempotency: postgresStore: table must be a string, got null',
  ],
])('%o rejects %j', (create, args, message) => {
  expect(() => (create as (...args: unknown[]) => unknown)(...args)).toThrow(message)
})

test.each([
  [200, true],
  [201, true],
  [204, true],
  [302, true],
  [409, true],
  [410, true],
  [422, true],
  [500, true],
  [502, true],
  [504, true],
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [408, false],
  [412, false],
  [425, false],
  [428, false],
  [429, false],
  [503, false],
])('stores a response with status %i by default: %s', (status, kept) => {
  expect(isStorable(status)).toBe(kept)
})
