import type { MaybePromise } from '../database/maybe-promise.ts'

/**
 * Returns what takes long and needs no database, such as the hash of a password. A transaction that
 * calls it first is rolled back and runs again with the result, since all others would wait for it
 * on SQLite.
 */
export type Beforehand = (input: string, compute: (input: string) => Promise<string>) => MaybePromise<string>

/** Computes in the transaction, for work that cannot run again. */
export const inPlace: Beforehand = (input, compute) => compute(input)

/** Rolls a transaction back until something is computed. */
export class Postponed extends Error {
  readonly compute: () => Promise<unknown>

  constructor(compute: () => Promise<unknown>) {
    super('the transaction runs again')
    this.compute = compute
  }
}

/** Runs work with the transactions in it, and again if they were postponed. */
export async function withBeforehand<T>(work: (beforehand: Beforehand) => MaybePromise<T>): Promise<T> {
  const results = new Map<string, string>()
  const beforehand: Beforehand = (input, compute) => {
    const result = results.get(input)
    if (result !== undefined) return result
    throw new Postponed(async () => results.set(input, await compute(input)))
  }
  for (;;) {
    try {
      return await work(beforehand)
    } catch (error) {
      if (!(error instanceof Postponed)) throw error
      await error.compute()
    }
  }
}
