/**
 * A seeded 64-bit hash of a string, in two properties so that nothing is allocated. The seed is
 * secret, so clients cannot choose keys that collide. The probability of a collision among a
 * million keys is 3 in 100 million.
 */
export class KeyHash {
  high = 0
  low = 0
  readonly #seedHigh: number
  readonly #seedLow: number
  #key: string | undefined

  constructor(seedHigh: number, seedLow: number) {
    this.#seedHigh = seedHigh | 0
    this.#seedLow = seedLow | 0
  }

  /**
   * Hashes a key, unless it is that of the previous call. Both halves are signed; the low one is
   * never 0.
   */
  update(key: string): void {
    if (key === this.#key) return
    this.#key = key
    let high = this.#seedHigh
    let low = this.#seedLow ^ key.length
    for (let index = 0; index < key.length; index++) {
      const unit = key.charCodeAt(index)
      high = Math.imul(high ^ unit, 0x9e3779b1)
      high = (high << 13) | (high >>> 19)
      low = Math.imul(low ^ unit, 0x5f356495)
      low = (low << 17) | (low >>> 15)
    }
    this.high = mix(high ^ (low >>> 11))
    this.low = mix(low ^ high) || 1
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
