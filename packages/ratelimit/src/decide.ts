import type { Algorithm, AlgorithmName, CounterState, LimitResult, Policy } from './algorithm.ts'
import { concurrency } from './concurrency.ts'
import { fixedWindow } from './fixed-window.ts'
import { gcra } from './gcra.ts'
import { slidingCounter } from './sliding-counter.ts'
import { slidingLog } from './sliding-log.ts'
import type { Charge } from './store.ts'
import { tokenBucket } from './token-bucket.ts'

const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  gcra,
  'sliding-counter': slidingCounter,
  'sliding-log': slidingLog,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  concurrency,
}

/** How a store reaches the states that it keeps. */
export interface Ledger {
  read(charge: Charge): CounterState
  write(charge: Charge, state: CounterState): void
}

/** The state of a key that was never seen. */
export const NOTHING: CounterState = []

/** Takes all charges if all of them are allowed, else none. */
export function consumeAll(charges: readonly Charge[], now: number, ledger: Ledger): LimitResult[] {
  const only = charges[0]
  if (only && charges.length === 1) return [consumeOne(only, now, ledger)]
  const outcomes: LimitResult[] = []
  const before: CounterState[] = []
  const after: CounterState[] = []
  let allowed = true
  for (const charge of charges) {
    const state = ledger.read(charge)
    const [next, outcome] = take(state, now, charge)
    before.push(state)
    after.push(next)
    outcomes.push(outcome)
    allowed &&= outcome.allowed
  }
  for (const [index, charge] of charges.entries()) {
    const state = before[index] ?? NOTHING
    const refused = !outcomes[index]?.allowed
    if (!allowed && !refused) outcomes[index] = look(state, now, charge.policy, getOwn(charge))
    else if (after[index] !== state) ledger.write(charge, after[index] ?? NOTHING)
  }
  return outcomes
}

// Most calls have one charge: nothing has to be kept until the others are known.
function consumeOne(charge: Charge, now: number, ledger: Ledger): LimitResult {
  const state = ledger.read(charge)
  const [next, outcome] = take(state, now, charge)
  if (next !== state) ledger.write(charge, next)
  return outcome
}

/** Takes, or gives back, without asking. */
export function adjustAll(charges: readonly Charge[], now: number, ledger: Ledger): LimitResult[] {
  return charges.map((charge) => {
    const state = ledger.read(charge)
    const { policy, cost } = charge
    const parameter = getOwn(charge)
    if (blockedMs(state, now) > 0) return look(state, now, policy)
    const next = algorithms[policy.algorithm].shift(sinceBlock(state), now, policy, cost, parameter)
    ledger.write(charge, getEnd(next, policy) > now ? next : NOTHING)
    return look(next, now, policy, parameter)
  })
}

/** The state of a key that is refused until then: what no algorithm writes, a negative first number. */
export function blockedUntil(time: number): CounterState {
  return [-time]
}

/** The time from which a state may be forgotten. */
export function getEnd(state: CounterState, policy: Policy): number {
  const first = state[0] ?? 0
  return first < 0 ? -first : algorithms[policy.algorithm].endsAt(state, policy)
}

/** What a state says, with nothing taken. */
export function look(state: CounterState, now: number, policy: Policy, parameter?: number): LimitResult {
  const blocked = blockedMs(state, now)
  if (blocked > 0) return { allowed: false, remaining: 0, resetMs: blocked, retryMs: blocked }
  return algorithms[policy.algorithm].take(sinceBlock(state), now, policy, 0, parameter)[1]
}

/** What a charge alone knows, and its algorithm wants to know. */
function getOwn({ id, phase }: Charge): number | undefined {
  return id ?? phase
}

function take(state: CounterState, now: number, charge: Charge): [CounterState, LimitResult] {
  const { policy, cost } = charge
  if (blockedMs(state, now) > 0) return [state, look(state, now, policy)]
  return algorithms[policy.algorithm].take(sinceBlock(state), now, policy, cost, getOwn(charge))
}

function blockedMs(state: CounterState, now: number): number {
  return -(state[0] ?? 0) - now
}

function sinceBlock(state: CounterState): CounterState {
  return (state[0] ?? 0) < 0 ? NOTHING : state
}
