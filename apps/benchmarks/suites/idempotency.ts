import { Idempotency } from '@node-idempotency/core'
import { MemoryStorageAdapter } from '@node-idempotency/storage-adapter-memory'
import { createFingerprint, idempotencyEngine, memoryStore as memoryKeys } from '@svc/idempotency'
import { IdempotencyService } from 'express-idempotency'
import type { Bench, Operation } from '../harness/measure.ts'
import { uuid } from '../harness/strings.ts'

export const title = 'Idempotency keys in memory'

const WHOLE =
  'the body is brought into canonical JSON and hashed, the claim has a lease and a fence, and the response is copied byte for byte; the peers keep objects'

/** A way to store responses. Both methods return what the client gets. */
interface Keeper {
  first(key: string): unknown
  replay(key: string): unknown
}

const payment = { orderId: 7, amount: '10.00', currency: 'EUR', note: 'Invoice 2026-117, second reminder' }
const body = JSON.stringify(payment)
const response = JSON.stringify({
  id: 1,
  ...payment,
  _links: { self: { href: '/payments/1' }, order: { href: '/orders/7' } },
})
const path = '/payments'

export function ours(): Keeper {
  const engine = idempotencyEngine({ store: memoryKeys({ maxKeys: 2_000_000, maxBytes: 2 ** 31 }) })
  const begin = (key: string): ReturnType<typeof engine.begin> => {
    const fingerprint = createFingerprint({ method: 'POST', target: path, contentType: 'application/json', body })
    return engine.begin({ scope: 'ada', key, fingerprint })
  }
  return {
    first(key) {
      const begun = begin(key)
      if (!('outcome' in begun) || begun.outcome !== 'new') throw new Error('the key is not new')
      return begun.lease.complete({
        status: 201,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(response),
      })
    },
    replay(key) {
      const begun = begin(key)
      if (!('outcome' in begun) || begun.outcome !== 'replay') throw new Error('there is nothing to replay')
      return begun.response
    },
  }
}

function core(): Keeper {
  const engine = new Idempotency(new MemoryStorageAdapter())
  const request = (key: string) => ({ method: 'POST', path, headers: { 'idempotency-key': key }, body: payment })
  return {
    async first(key) {
      await engine.onRequest(request(key))
      await engine.onResponse(request(key), { body: response, additional: { status: 201 } })
    },
    replay: (key) => engine.onRequest(request(key)),
  }
}

function express(): Keeper {
  const service = new IdempotencyService()
  const run = (key: string, handle: (res: { send(body: string): void }) => void): Promise<void> =>
    new Promise((resolve) => {
      const headers: Record<string, string> = { 'idempotency-key': key }
      const get = (name: string): string | undefined => headers[name]
      const req = { method: 'POST', url: path, query: {}, headers, body: { ...payment }, get }
      const res = {
        statusCode: 201,
        setHeader() {},
        getHeaders: () => ({ 'content-type': 'application/json' }),
        status: () => res,
        send() {},
      }
      service.provideMiddlewareFunction(
        req as never,
        res as never,
        (() => {
          handle(res)
          // It stores the response asynchronously, a few microtasks after the handler.
          setImmediate(resolve)
        }) as never,
      )
    })
  return { first: (key) => run(key, (res) => res.send(response)), replay: (key) => run(key, () => {}) }
}

const makers = { 'express-idempotency': express, '@node-idempotency/core': core, '@svc/idempotency': ours }

export function benches(): Bench[] {
  return [firstRequests(0), firstRequests(10_000), replays(1000)]
}

/** So many keys are there before; those that the measuring adds stay. */
function firstRequests(stored: number): Bench {
  return {
    name: `first request, ${stored.toLocaleString('en')} keys stored before`,
    base: '@node-idempotency/core',
    goals: [
      { id: 'I1', against: '@node-idempotency/core', most: 0.6, reason: WHOLE },
      { id: 'I1', against: 'express-idempotency', most: 0.2, reason: WHOLE },
    ],
    contenders: Object.entries(makers).map(([name, make]) => ({ name, prepare: () => filled(make, stored) })),
  }
}

export async function filled(make: () => Keeper, stored: number): Promise<Operation> {
  let keeper = make()
  for (let index = 0; index < stored; index++) await keeper.first(uuid(index))
  let turn = stored
  return () => {
    // A store that is to be nearly empty is made anew before it has 500 keys.
    if (stored === 0 && turn % 500 === 0) keeper = make()
    return keeper.first(uuid(turn++))
  }
}

function replays(stored: number): Bench {
  const prepare = async (make: () => Keeper): Promise<Operation> => {
    const keeper = make()
    for (let index = 0; index < stored; index++) await keeper.first(uuid(index))
    let turn = 0
    return () => keeper.replay(uuid(turn++ % stored))
  }
  return {
    name: `replay, ${stored.toLocaleString('en')} keys stored`,
    base: '@node-idempotency/core',
    goals: [
      { id: 'I1', against: '@node-idempotency/core', most: 0.4, reason: WHOLE },
      { id: 'I1', against: 'express-idempotency', most: 0.02, reason: WHOLE },
    ],
    contenders: Object.entries(makers).map(([name, make]) => ({ name, prepare: () => prepare(make) })),
  }
}
