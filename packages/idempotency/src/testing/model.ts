/** What comes of a request, and of an attempt that ends. */
export type Outcome = 'run' | 'busy' | 'mismatch' | `replay ${number}` | 'kept' | 'lost'

interface Working {
  body: string
  attempt: number
  leaseUntil: number
  expiresAt: number
}

interface Answered {
  body: string
  response: number
  expiresAt: number
}

export interface Terms {
  leaseMs: number
  ttlMs: number
  /** Whether the work runs in a transaction: then nothing of it is there before it is committed, and no lease runs out. */
  transaction: boolean
}

/** The promise about keys, as clients and operators may rely on it. Attempts have numbers, which are their answers too. */
export class Model {
  readonly #terms: Terms
  readonly #working = new Map<string, Working>()
  readonly #answered = new Map<string, Answered>()
  /** Attempts whose effect and response count, for ever. */
  readonly kept: number[] = []

  constructor(terms: Terms) {
    this.#terms = terms
  }

  /** A request is sent. */
  send(key: string, body: string, attempt: number, now: number): Outcome {
    const { leaseMs, ttlMs, transaction } = this.#terms
    const answered = this.#answered.get(key)
    if (answered && answered.expiresAt > now) return answered.body === body ? `replay ${answered.response}` : 'mismatch'
    const working = this.#working.get(key)
    if (working && transaction) return 'busy'
    if (working && working.expiresAt > now) {
      if (working.body !== body) return 'mismatch'
      if (working.leaseUntil > now) return 'busy'
    }
    this.#working.set(key, { body, attempt, leaseUntil: now + leaseMs, expiresAt: now + ttlMs })
    return 'run'
  }

  /** An attempt has an response. */
  finish(key: string, attempt: number, now: number): Outcome {
    const working = this.#working.get(key)
    if (working?.attempt !== attempt) return 'lost'
    this.#working.delete(key)
    this.#answered.set(key, { body: working.body, response: attempt, expiresAt: now + this.#terms.ttlMs })
    this.kept.push(attempt)
    return 'kept'
  }

  /** An attempt gives up. */
  release(key: string, attempt: number): void {
    if (this.#working.get(key)?.attempt === attempt) this.#working.delete(key)
  }

  /** The process of an attempt dies: what was not committed never was; a lease stays until it runs out. */
  crash(key: string, attempt: number): void {
    if (this.#terms.transaction) this.release(key, attempt)
  }

  /** The process of an attempt says that it is still at work. */
  beat(key: string, attempt: number, now: number): void {
    const working = this.#working.get(key)
    if (working?.attempt === attempt) working.leaseUntil = now + this.#terms.leaseMs
  }

  /** Whether anybody works on another key. */
  isBusyBeside(key: string): boolean {
    return [...this.#working.keys()].some((other) => other !== key)
  }
}
