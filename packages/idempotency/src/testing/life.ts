import type { IdempotencyStore, Lease } from '@svc/idempotency'
import { expect, vi } from 'vitest'
import type { Clock } from '../../../internal/testing/clock.ts'
import { Model, type Outcome } from './model.ts'
import { type Process, startProcess, toOutcome } from './process.ts'

export interface World {
  store: IdempotencyStore
  transaction: boolean
  /** Number of processes that can use the store concurrently. */
  processes: number
  /** The clock of the store. */
  time: Clock
  leaseMs: number
  ttlMs: number
  /** Writes the effect of an attempt in its transaction. */
  write?(transaction: unknown, effect: string): Promise<unknown>
}

interface JobContext {
  number: number
  by: number
  key: string
  lease: Lease
}

/** A service under random events, whose every outcome is compared with the model. */
export class Life {
  readonly model: Model
  readonly #world: World
  readonly #processes: Process[]
  #attempts: JobContext[] = []
  #serial = 0

  constructor(world: World) {
    const { transaction, processes, leaseMs, ttlMs } = world
    // A transaction of these tests has the clock of its database.
    this.model = new Model({ transaction, leaseMs, ttlMs: transaction ? Number.POSITIVE_INFINITY : ttlMs })
    this.#world = world
    this.#processes = Array.from({ length: processes }, () => startProcess(world.store, world))
  }

  /** A client sends a request to a process. */
  async send(by: number, key: string, body: string): Promise<void> {
    const { transaction, processes, time, write } = this.#world
    // With one connection, a request for another key would wait until the first transaction ends.
    if (transaction && processes === 1 && this.model.isBusyBeside(key)) return
    const number = ++this.#serial
    const process = by % processes
    const expected = this.model.send(process, key, body, number, time.now())
    // A database takes a moment to see that a process died.
    const maxWaitMs = expected === 'busy' ? 0 : 10_000
    const begun = await this.#processes[process]?.engine.begin({ scope: '', key, fingerprint: body, maxWaitMs })
    expect(begun && toOutcome(begun), `attempt ${number}`).toBe(expected)
    if (begun?.outcome !== 'new') return
    this.#attempts.push({ number, by: process, key, lease: begun.lease })
    await write?.(begun.lease.transaction, String(number))
  }

  /** One of the attempts has a response. */
  async finish(index: number): Promise<void> {
    const attempt = this.#take(index)
    if (!attempt) return
    const { number, key, lease } = attempt
    let outcome: Outcome = 'kept'
    try {
      await lease.complete({ status: 201, headers: [], body: Buffer.from(String(number)) })
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' })
      outcome = 'lost'
    }
    expect(outcome, `the end of attempt ${number}`).toBe(this.model.finish(key, number, this.#world.time.now()))
  }

  /** One of the attempts releases its key. */
  async release(index: number): Promise<void> {
    const attempt = this.#take(index)
    if (!attempt) return
    this.model.release(attempt.key, attempt.number)
    await attempt.lease.release()
  }

  /** A process crashes, and another one replaces it. */
  async crash(by: number): Promise<void> {
    const process = by % this.#processes.length
    await this.#processes[process]?.crash()
    for (const { key, number } of this.#attempts.filter((attempt) => attempt.by === process))
      this.model.crash(key, number)
    this.#attempts = this.#attempts.filter((attempt) => attempt.by !== process)
    this.#processes[process] = startProcess(this.#world.store, this.#world)
  }

  /** Time passes, and running processes renew their leases. */
  async pass(beats: number): Promise<void> {
    const { time, leaseMs } = this.#world
    for (let beat = 0; beat < beats; beat++) {
      time.advance(leaseMs / 3)
      vi.advanceTimersByTime(leaseMs / 3)
      await Promise.all(this.#processes.map((process) => process.settled()))
      for (const { key, number } of this.#attempts) this.model.beat(key, number, time.now())
    }
  }

  /** The clock jumps, and no lease is renewed. */
  jump(ms: number): void {
    // Responses expire like this; work that was not renewed for that long may be gone, or not yet.
    if (ms < this.#world.ttlMs || this.#attempts.length === 0) this.#world.time.advance(ms)
  }

  /** All processes crash. */
  async end(): Promise<void> {
    for (let process = 0; process < this.#processes.length; process++) await this.crash(process)
  }

  #take(index: number): JobContext | undefined {
    const [attempt] = this.#attempts.splice(index % Math.max(this.#attempts.length, 1), 1)
    return attempt
  }
}
