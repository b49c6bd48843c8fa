import { splitList as splitAt } from '../../internal/list.ts'
import { createArgumentError } from '../../internal/options.ts'

/** Options for `splitList()`. */
export interface SplitListOptions {
  /** Maximum number of items; the rest is ignored. @defaultValue all */
  maxItems?: number
}

/**
 * Splits a list-valued header at its commas: quoted strings stay intact, and empty items are
 * dropped (RFC 9110 §5.6.1). Never throws, and takes linear time.
 */
export function splitList(value: string, { maxItems }: SplitListOptions = {}): string[] {
  if (typeof value !== 'string') throw createArgumentError('negotiate: splitList', 'value', 'a string', value)
  return splitAt(value, undefined, maxItems)
}
