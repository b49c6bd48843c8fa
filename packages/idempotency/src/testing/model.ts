/** Outcome of a request, and of an attempt. */
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
  /**
   * Whether the work runs in a transaction: then it has no effects before the commit, and no lease
   * expires.
   */
  transaction: boolean
}

/** The guarantees about keys. The number of an attempt is also its response. */
export class Model {
  readonly #terms: Terms
  readonly #working = new Map<string, Working>()
  readonly #answered = new Map<string, Answered>()
  /** Process and key of each attempt whose process takes it for the owner of the key. */
  readonly #running = new Map<number, string>()
  /** Attempts whose effects and response count permanently. */
  readonly kept: number[] = []

  constructor(terms: Terms) {
    this.#terms = terms
  }

  /** A client sends a request to a process. */
  send(by: number, key: string, body: string, attempt: number, now: number): Outcome {
    const { leaseMs, ttlMs, transaction } = this.#terms
    const answered = this.#answered.get(key)
    if (answered && answered.expiresAt > now) return answered.body === body ? `replay ${answered.response}` : 'mismatch'
    const working = this.#working.get(key)
    if (working && transaction) return 'busy'
    if (working && working.expiresAt > now) {
      if (working.body !== body) return 'mismatch'
      if (working.leaseUntil > now || [...this.#running.values()].includes(`${by} ${key}`)) return 'busy'
    }
    this.#running.set(attempt, `${by} ${key}`)
    this.#working.set(key, { body, attempt, leaseUntil: now + leaseMs, expiresAt: now + ttlMs })
    return 'run'
  }

  /** An attempt has a response. */
  finish(key: string, attempt: number, now: number): Outcome {
    const working = this.#working.get(key)
    this.#running.delete(attempt)
    if (working?.attempt !== attempt) return 'lost'
    this.#working.delete(key)
    this.#answered.set(key, { body: working.body, response: attempt, expiresAt: now + this.#terms.ttlMs })
    this.kept.push(attempt)
    return 'kept'
  }

  /** An attempt releases its key. */
  release(key: string, attempt: number): void {
    this.#running.delete(attempt)
    if (this.#working.get(key)?.attempt === attempt) this.#working.delete(key)
  }

  /**
   * The process of an attempt crashes: its transaction is rolled back; its lease stays until it
   * expires.
   */
  crash(key: string, attempt: number): void {
    this.#running.delete(attempt)
    if (this.#terms.transaction) this.release(key, attempt)
  }

  /** The process of an attempt renews its lease, or learns that it is lost. */
  beat(key: string, attempt: number, now: number): void {
    const working = this.#working.get(key)
    if (working?.attempt === attempt) working.leaseUntil = now + this.#terms.leaseMs
    else this.#running.delete(attempt)
  }

  /** Whether the work of another key is in progress. */
  isBusyBeside(key: string): boolean {
    return [...this.#working.keys()].some((other) => other !== key)
  }
}
