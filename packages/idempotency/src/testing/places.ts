import { type IdempotencyOptions, idempotency } from '@svc/idempotency'
import type { Middleware } from '../../../internal/middleware.ts'
import { type Clock, clock } from '../../../internal/testing/clock.ts'
import { type Handler, hostNames, serve } from './service.ts'
import { listWays, type OpenStore, openStores, type Stores } from './stores.ts'

/** A host and a store, for which every sequence of requests must have the same results. */
export interface Place {
  /** Whether key, response and effects share one transaction. */
  transaction: boolean
  /** Runs a service with `idempotency(options)` before its handler, on a store without keys. */
  run(parts: Parts, use: (url: string, time: Clock) => Promise<void>): Promise<void>
}

export interface Parts {
  handler: Handler
  options?: IdempotencyOptions
  before?: Middleware[]
  after?: Middleware[]
}

export interface Places {
  places: [name: string, place: Place][]
  missing: string[]
  close: Stores['close']
}

/**
 * Returns every store, with and without transactions, on every host, as rows for `describe.each`.
 * `missing`: stores whose server is not installed.
 */
export async function openPlaces(): Promise<Places> {
  const { kinds, close } = await openStores()
  const ways = listWays(kinds)
  const places = ways.flatMap(({ name, open, transaction }) =>
    hostNames.flatMap((host): [string, Place][] =>
      open ? [[`${name} on ${host}`, { transaction, run: runner(host, transaction, open) }]] : [],
    ),
  )
  const missing = ways.flatMap(({ name, open }) => (open ? [] : [name]))
  return { places, missing, close }
}

function runner(host: string, transaction: boolean, open: OpenStore): Place['run'] {
  return async ({ handler, options, before = [], after = [] }, use) => {
    const time = clock()
    const keyed = idempotency({ store: await open(time.now), transaction, ...options })
    await serve(host, { middlewares: [...before, keyed, ...after], handler }, (url) => use(url, time))
  }
}
