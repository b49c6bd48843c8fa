import type { Algorithm, AlgorithmName, CounterState, LimitResult, Policy } from './algorithm.ts'
import { concurrency } from './concurrency.ts'
import { fixedWindow } from './fixed-window.ts'
import { gcra } from './gcra.ts'
import { slidingCounter } from './sliding-counter.ts'
import { slidingLog } from './sliding-log.ts'
import type { Charge } from './store.ts'
import { tokenBucket } from './token-bucket.ts'

export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  gcra,
  'sliding-counter': slidingCounter,
  'sliding-log': slidingLog,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  concurrency,
}

/** Access of a store to its states. */
export interface Ledger {
  read(charge: Charge): CounterState
  write(charge: Charge, state: CounterState, now: number): void
}

/** The state of a new key. */
export const NO_STATE: CounterState = []

/** Takes all charges if all of them are allowed, otherwise none. */
export function consumeAll(charges: readonly Charge[], now: number, ledger: Ledger): LimitResult[] {
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
    const state = before[index] ?? NO_STATE
    const isRejected = !outcomes[index]?.allowed
    if (!allowed && !isRejected) outcomes[index] = look(state, now, charge.policy, getParameter(charge))
    else if (after[index] !== state) ledger.write(charge, after[index] ?? NO_STATE, now)
  }
  return outcomes
}

/** Charges unconditionally, or refunds. */
export function adjustAll(charges: readonly Charge[], now: number, ledger: Ledger): LimitResult[] {
  return charges.map((charge) => {
    const state = ledger.read(charge)
    const { policy, cost } = charge
    const parameter = getParameter(charge)
    if (getBlockedMs(state, now) > 0) return look(state, now, policy)
    const next = algorithms[policy.algorithm].shift(dropExpiredBlock(state), now, policy, cost, parameter)
    ledger.write(charge, getEnd(next, policy) > now ? next : NO_STATE, now)
    return look(next, now, policy, parameter)
  })
}

/**
 * Returns the state of a key that is blocked until a time: a negative first number, which no
 * algorithm writes.
 */
export function blockUntil(time: number): CounterState {
  return [-time]
}

/** Returns the time from which a state may be deleted. */
export function getEnd(state: CounterState, policy: Policy): number {
  const first = state[0] ?? 0
  return first < 0 ? -first : algorithms[policy.algorithm].endsAt(state, policy)
}

/** Returns the result of a state without taking anything. */
export function look(state: CounterState, now: number, policy: Policy, parameter?: number): LimitResult {
  const blocked = getBlockedMs(state, now)
  if (blocked > 0) return { allowed: false, remaining: 0, resetMs: blocked, retryMs: blocked }
  return algorithms[policy.algorithm].take(dropExpiredBlock(state), now, policy, 0, parameter)[1]
}

function getParameter({ id, phase }: Charge): number | undefined {
  return id ?? phase
}

function take(state: CounterState, now: number, charge: Charge): [CounterState, LimitResult] {
  const { policy, cost } = charge
  if (getBlockedMs(state, now) > 0) return [state, look(state, now, policy)]
  return algorithms[policy.algorithm].take(dropExpiredBlock(state), now, policy, cost, getParameter(charge))
}

function getBlockedMs(state: CounterState, now: number): number {
  return -(state[0] ?? 0) - now
}

function dropExpiredBlock(state: CounterState): CounterState {
  return (state[0] ?? 0) < 0 ? NO_STATE : state
}
