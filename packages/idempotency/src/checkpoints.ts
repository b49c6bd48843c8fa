import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { leaseLost } from './errors.ts'

/** Takes a step, unless it was taken before. */
export type TakeStep = <T>(name: string, take: () => MaybePromise<T>) => Promise<T>

/**
 * Makes what takes the steps of an attempt. `packed`: the results that earlier attempts kept. `save` keeps all results,
 * packed as one text, and says whether the attempt still holds its key.
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
    // One after the other: what is saved last is all of it.
    const saveAfter = async (before: Promise<boolean> | undefined): Promise<boolean> => {
      await before
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
