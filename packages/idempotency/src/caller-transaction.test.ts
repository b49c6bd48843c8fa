import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { idempotencyEngine, type TransactionalStore } from '@svc/idempotency'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabases } from './testing/databases.ts'

describe.each(await openDatabases())(
  'a transaction of the caller in %s',
  (name, { store, write, rows, clear, close }) => {
    beforeEach(clear)
    afterAll(close)

    test('is joined, and commits with the caller', async () => {
      const engine = idempotencyEngine({ store })
      const input = { scope: 's', key: 'k', fingerprint: 'f' }
      const response = { status: 201, headers: [], body: Buffer.from('paid') }
      const beats = vi.spyOn(globalThis, 'setInterval')
      const rolledBack = await store.open()
      const lost = await engine.begin(input, rolledBack)
      expect(lost.outcome).toBe('new')
      if (lost.outcome === 'new') await lost.lease.complete(response)
      await rolledBack.rollback()
      expect(beats, 'nothing is kept alive that the caller may have forgotten').not.toHaveBeenCalled()
      beats.mockRestore()

      const tx = await store.open()
      // Returns only rows, like a query builder.
      const begun = await engine.begin(input, { query: (text, values) => readRows(tx.query(text, values)) })
      if (begun.outcome !== 'new') throw new Error(begun.outcome)
      await write(tx.client, 'k')
      await begun.lease.complete(response)
      await tx.commit()
      expect(await rows()).toEqual(['k'])
      const replay = await engine.begin(input)
      expect(replay).toMatchObject({ outcome: 'replay', response: { status: 201, headers: [] } })
    })

    test('stores a rejection after the caller rolled back', async () => {
      const engine = idempotencyEngine({ store })
      const input = { scope: 's', key: 'k', fingerprint: 'f' }
      const tx = await store.open()
      const begun = await engine.begin(input, tx)
      if (begun.outcome !== 'new') throw new Error(begun.outcome)
      await write(tx.client, 'k')
      await tx.rollback()
      await begun.lease.complete({ status: 422, headers: [], body: Buffer.from('no') }, { effects: 'rollback' })
      expect(await engine.begin(input)).toMatchObject({ outcome: 'replay', response: { status: 422 } })
      expect(await rows()).toEqual([])
    })

    test('is awaited inside another one, which gets the response, or the key after a rollback', async () => {
      const engine = idempotencyEngine({ store })
      const input = { scope: 's', key: 'k', fingerprint: 'f', maxWaitMs: 10_000 }
      if (name === 'sqlite') {
        // Its only transaction would lock out the attempt that holds the key.
        expect((await engine.begin(input)).outcome).toBe('new')
        const tx = await store.open()
        expect(await engine.begin(input, tx)).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
        return void (await tx.rollback())
      }
      for (const [end, outcome] of [
        ['rollback', { outcome: 'new' }],
        ['commit', { outcome: 'replay', waited: true }],
      ] as const) {
        const [one, other] = [await store.open(), await store.open()]
        const first = await engine.begin(input, one)
        const second = Promise.resolve(engine.begin(input, other))
        if (first.outcome !== 'new') throw new Error(first.outcome)
        await Promise.race([second.then(() => Promise.reject(new Error('it must wait'))), aLook()])
        await first.lease.complete({ status: 201, headers: [], body: Buffer.from('paid') })
        await one[end]()
        expect(await second).toMatchObject(outcome)
        await other.rollback()
      }
    })

    test('rejects a duplicate of work in another transaction, and an attempt that was overtaken', async ({ skip }) => {
      if (name === 'sqlite') return skip('a connection of SQLite has one transaction')
      const engine = idempotencyEngine({ store })
      const input = { scope: 's', key: 'k', fingerprint: 'f' }
      const [one, other] = [await store.open(), await store.open()]
      const first = await engine.begin(input, one)
      expect(await engine.begin(input, other)).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
      // An attempt with a lease sees no transaction: the one that ends first is the one that
      // counts.
      const leased = await engine.begin(input)
      if (first.outcome !== 'new' || leased.outcome !== 'new') throw new Error('both begin')
      await leased.lease.complete({ status: 200, headers: [], body: Buffer.from('leased') })
      await expect(async () =>
        first.lease.complete({ status: 200, headers: [], body: Buffer.from('tx') }),
      ).rejects.toThrow(expect.objectContaining({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' }))
      await Promise.all([one.rollback(), other.rollback()])
      expect(await engine.begin(input)).toMatchObject({ outcome: 'replay' })
    })
  },
)

async function readRows(result: ReturnType<Awaited<ReturnType<TransactionalStore['open']>>['query']>) {
  const found = await result
  return 'rows' in found ? found.rows : found
}

/** Resolves when a duplicate has seen that a key is in progress. */
function aLook(): Promise<void> {
  return new Promise((resolve) => {
    const seen = (): void => {
      unsubscribe('svc:idempotency:event', seen)
      resolve()
    }
    subscribe('svc:idempotency:event', seen)
  })
}
