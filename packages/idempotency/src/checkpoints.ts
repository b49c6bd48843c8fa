import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { leaseLost } from './errors.ts'

/** Takes a step once over all attempts. */
export type TakeStep = <T>(name: string, take: () => MaybePromise<T>) => Promise<T>

/**
 * Creates the function that takes the steps of an attempt. `packed` contains the results of earlier
 * attempts. `save` stores all results as one string, and returns whether the attempt still holds
 * its key.
 */
export function createSteps(packed: string, save: (packed: string) => MaybePromise<boolean>): TakeStep {
  let steps: Map<string, string> | undefined
  let saving: Promise<boolean> | undefined
  return async <T>(name: string, take: () => MaybePromise<T>): Promise<T> => {
    steps ??= unpack(packed)
    const stored = steps.get(name)
    if (stored !== undefined) return JSON.parse(stored) as T
    const result = await take()
    const taken = steps.set(name, JSON.stringify(result ?? null))
    // In order: each save contains all results so far.
    const saveAfter = async (previous: Promise<boolean> | undefined): Promise<boolean> => {
      await previous
      return save(JSON.stringify([...taken]))
    }
    saving = saveAfter(saving)
    if (!(await saving)) throw leaseLost()
    return result
  }
}

function unpack(packed: string): Map<string, string> {
  return new Map(packed === '' ? [] : (JSON.parse(packed) as [string, string][]))
}
