export type Random = ReturnType<typeof createRandom>

/** Creates numbers that look random and are the same on every start (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Returns an integer from 0 to below `below`. */
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    whole,
    between: (from: number, to: number): number => from + whole(to - from + 1),
    pick<V>(values: readonly V[]): V {
      const value = values[whole(values.length)]
      if (value === undefined) throw new TypeError('random: values must not be empty')
      return value
    },
    chance: (share: number): boolean => next() < share,
  }
}
