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
  let saving: Promise<unknown> = Promise.resolve()
  const unsaved = new Set<string>()
  return async <T>(name: string, take: () => MaybePromise<T>): Promise<T> => {
    steps ??= unpack(packed)
    const taken = steps.get(name)
    if (taken !== undefined && !unsaved.has(name)) return JSON.parse(taken) as T
    // What was taken but could not be saved is saved again, not taken again.
    const result = taken === undefined ? await take() : (JSON.parse(taken) as T)
    const all = steps.set(name, taken ?? JSON.stringify(result ?? null))
    unsaved.add(name)
    // In order: each save contains all results so far, also those of a save that failed.
    const saved = saving.then(() => save(JSON.stringify([...all])))
    saving = saved.catch(() => {})
    if (!(await saved)) throw leaseLost()
    unsaved.delete(name)
    return result
  }
}

function unpack(packed: string): Map<string, string> {
  return new Map(packed === '' ? [] : (JSON.parse(packed) as [string, string][]))
}
