import type { Algorithm, AlgorithmName, Outcome, Policy, State } from './algorithm.ts'
import { gcra } from './gcra.ts'
import type { Charge } from './store.ts'

const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  gcra,
} as never

/** How a store reaches the states that it keeps. */
export interface Ledger {
  read(charge: Charge): State
  write(charge: Charge, state: State): void
}

/** The state of a key that was never seen. */
export const NOTHING: State = []

/** Takes all charges if all of them are allowed, else none. */
export function consumeAll(charges: readonly Charge[], now: number, ledger: Ledger): Outcome[] {
  const outcomes: Outcome[] = []
  const before: State[] = []
  const after: State[] = []
  let allowed = true
  for (const charge of charges) {
    const state = ledger.read(charge)
    const [next, outcome] = take(state, now, charge, charge.cost)
    before.push(state)
    after.push(next)
    outcomes.push(outcome)
    allowed &&= outcome.allowed
  }
  for (const [at, charge] of charges.entries()) {
    const state = before[at] ?? NOTHING
    if (!allowed) {
      if (outcomes[at]?.allowed) outcomes[at] = take(state, now, charge, 0)[1]
    } else if (after[at] !== state) ledger.write(charge, after[at] ?? NOTHING)
  }
  return outcomes
}

/** Takes, or gives back, without asking. */
export function adjustAll(charges: readonly Charge[], now: number, ledger: Ledger): Outcome[] {
  return charges.map((charge) => {
    const state = ledger.read(charge)
    if (blockedMs(state, now) > 0) return take(state, now, charge, 0)[1]
    const { policy, cost, id } = charge
    const next = algorithms[policy.algorithm].shift(sinceBlock(state), now, policy, cost, id)
    ledger.write(charge, next)
    return take(next, now, charge, 0)[1]
  })
}

/** The state of a key that is refused until then: what no algorithm writes, a negative first number. */
export function blockedUntil(time: number): State {
  return [-time]
}

/** The time from which a state may be forgotten. */
export function endOf(state: State, policy: Policy): number {
  const first = state[0] ?? 0
  return first < 0 ? -first : algorithms[policy.algorithm].endsAt(state, policy)
}

function take(state: State, now: number, { policy, id }: Charge, cost: number): [State, Outcome] {
  const blocked = blockedMs(state, now)
  if (blocked > 0) return [state, { allowed: false, remaining: 0, resetMs: blocked, retryMs: blocked }]
  return algorithms[policy.algorithm].take(sinceBlock(state), now, policy, cost, id)
}

function blockedMs(state: State, now: number): number {
  return -(state[0] ?? 0) - now
}

function sinceBlock(state: State): State {
  return (state[0] ?? 0) < 0 ? NOTHING : state
}
