import type { Goal } from './table.ts'

/** `not judged`: the machine did too much else for a figure of this kind. */
export type Verdict = 'met' | 'missed' | 'not judged' | 'struck'

/** A goal is met where every run meets it. */
export function judge(goal: Goal, isDisturbed: boolean): Verdict {
  if (goal.struck !== undefined) return 'struck'
  if (goal.reached.length === 0 || (goal.wall && isDisturbed)) return 'not judged'
  return goal.reached.every((figure) => measureDistance(goal, figure) <= 0) ? 'met' : 'missed'
}

/**
 * Returns how far a figure misses its goal, as a share of the goal; 0 or less if the goal is met.
 */
export function measureDistance({ most, least }: Goal, figure: number): number {
  if (most !== undefined) return figure / most - 1
  return least === undefined ? 0 : 1 - figure / least
}
