import {
  type BeginResult,
  type IdempotencyStore,
  idempotencyEngine,
  memoryStore,
  type OpenTransaction,
} from '@svc/idempotency'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const name = { scope: 's', key: 'k' }
const input = { ...name, fingerprint: 'f' }
const paid = { status: 201, headers: [], body: Buffer.from('paid') }
const never = new Promise<never>(() => {})

/** A store that replies, except for some steps that never do. */
function hanging(...steps: string[]): IdempotencyStore {
  const store = memoryStore()
  const step = <A extends unknown[], R>(own: string, call: (...args: A) => R) =>
    steps.includes(own) ? () => never : call
  const tx: OpenTransaction = {
    client: {},
    query: () => [],
    commit: step('commit', () => {}),
    rollback: step('rollback', () => {}),
  }
  return {
    acquire: step('acquire', (id, claim) => store.acquire(id, claim)),
    renew: step('renew', () => true),
    checkpoint: step('checkpoint', () => true),
    complete: step('complete', (id, owner, answer, ttlMs) => store.complete(id, owner, answer, ttlMs)),
    release: step('release', (id, owner) => store.release(id, owner)),
    inspect: step('inspect', () => undefined),
    list: step('list', () => []),
    delete: step('delete', () => false),
    open: step('open', () => tx),
    within: () => ({
      acquire: step('acquire', () => ({ outcome: 'new' as const, attempt: 1, checkpoints: '' })),
      complete: step('complete', () => true),
      checkpoint: step('checkpoint', () => true),
    }),
  }
}

/** How something ends by the time a store may take. */
async function waitForEnd(call: () => unknown): Promise<unknown> {
  const ending = Promise.resolve()
    .then(call)
    .catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(1001)
  return Promise.race([ending, Promise.resolve('it hangs')])
}

const late = 'the store did not reply within 1000 ms'
const down = { outcome: 'refused', error: { code: 'ERR_IDEMPOTENCY_STORE_DOWN' } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe.each([false, true])('a store that never replies, with transaction: %s', (transaction) => {
  const engineOn = (...steps: string[]) =>
    idempotencyEngine({ store: hanging(...steps), transaction, storeTimeoutMs: 1000 })
  const leaseOn = async (...steps: string[]) => {
    const begun = (await engineOn(...steps).begin(input)) as BeginResult
    if (begun.outcome !== 'new') throw new Error(begun.outcome)
    return begun.lease
  }

  test.each([[['acquire']], [['open', 'acquire']], [['acquire', 'rollback']]])(
    'rejects a request: %j',
    async (steps) => {
      expect(await waitForEnd(() => engineOn(...steps).begin(input))).toMatchObject(down)
    },
  )

  test('does not block the work', async () => {
    const [completed, released, step] = await Promise.all([
      leaseOn('complete', 'commit'),
      leaseOn('release', 'rollback'),
      leaseOn('checkpoint'),
    ])
    expect(await waitForEnd(() => completed.complete(paid))).toBe(late)
    expect(await waitForEnd(() => released.release())).toBe(late)
    expect(await waitForEnd(() => step.checkpoint('charged', () => 1))).toBe(late)
  })

  test('rejects administrative calls', async () => {
    const engine = engineOn('inspect', 'list', 'delete')
    expect(await waitForEnd(() => engine.inspect(name))).toBe(late)
    expect(await waitForEnd(() => engine.list())).toBe(late)
    expect(await waitForEnd(() => engine.delete(name))).toBe(late)
  })
})
