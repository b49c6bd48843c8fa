import {
  type BeginResult,
  type IdempotencyEngine,
  type IdempotencyStore,
  idempotencyEngine,
  type OpenTransaction,
} from '@svc/idempotency'
import type { Outcome } from './model.ts'

/** A simulated process of a service, with its own memory, which can crash. */
export interface Process {
  engine: IdempotencyEngine
  /** Waits until the store has replied to all calls. */
  settled(): Promise<unknown>
  /** Stops all calls to the store, and breaks its connections. */
  crash(): Promise<void>
}

/** Starts a process on a shared store. */
export function startProcess(store: IdempotencyStore, terms: { transaction: boolean; leaseMs: number }): Process {
  const { transaction, leaseMs } = terms
  let isAlive = true
  let asked: Promise<unknown>[] = []
  const open = new Set<OpenTransaction>()
  const reaching = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      if (!isAlive) throw new Error('the process is dead')
      const reply = call(...args)
      asked.push(Promise.resolve(reply))
      return reply
    }
  }
  const { within, open: begin } = store
  const processStore: IdempotencyStore = {
    acquire: reaching((id, claim) => store.acquire(id, claim)),
    renew: reaching((id, owner, leaseMs) => store.renew(id, owner, leaseMs)),
    checkpoint: reaching((id, owner, checkpoints) => store.checkpoint(id, owner, checkpoints)),
    complete: reaching((id, owner, reply, ttlMs) => store.complete(id, owner, reply, ttlMs)),
    release: reaching((id, owner) => store.release(id, owner)),
    inspect: (id) => store.inspect(id),
    list: (limit) => store.list(limit),
    delete: (id) => store.delete(id),
  }
  if (within && begin) {
    processStore.within = within
    processStore.open = async () => {
      const tx = await begin()
      const ending = (end: () => unknown) => () => {
        open.delete(tx)
        return end()
      }
      open.add(tx)
      return Object.assign(tx, { commit: ending(tx.commit), rollback: ending(tx.rollback) })
    }
  }
  return {
    engine: idempotencyEngine({ store: processStore, ttlSeconds: 100_000, transaction, leaseMs }),
    settled: () => Promise.all(asked.splice(0)),
    async crash() {
      isAlive = false
      asked = []
      for (const tx of open) await (tx.abandon ?? tx.rollback)()
    },
  }
}

/** Result that a client sees. */
export function toOutcome(begun: BeginResult): Outcome {
  if (begun.outcome === 'new') return 'run'
  if (begun.outcome === 'replay') return `replay ${Number(Buffer.from(begun.response.body).toString())}`
  const { code } = begun.error
  if (code === 'ERR_IDEMPOTENCY_IN_PROGRESS') return 'busy'
  if (code === 'ERR_IDEMPOTENCY_KEY_REUSED') return 'mismatch'
  throw begun.error
}
