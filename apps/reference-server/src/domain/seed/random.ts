/** Numbers that look random and are the same on every start (mulberry32). */
export interface Random {
  /** From 0 to below `below`. */
  whole(below: number): number
  between(from: number, to: number): number
  pick<const V extends readonly [unknown, ...unknown[]]>(values: V): V[number]
  chance(share: number): boolean
}

/** Numbers that follow from a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    whole,
    between: (from, to) => from + whole(to - from + 1),
    pick: (values) => values[whole(values.length)] ?? values[0],
    chance: (share) => next() < share,
  }
}
