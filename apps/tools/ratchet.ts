import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Counts by entry. */
export type Counts = Readonly<Record<string, number>>

const FILE = join(import.meta.dirname, 'counts.json')

/**
 * Compares counts with those of counts.json, which may only go down. Returns a problem for each
 * that is higher. With `--write` lower counts are stored; the first counts of a check are stored as
 * they are.
 */
export function ratchet(name: string, counts: Counts): string[] {
  const stored = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Counts>
  const { problems, lowered } = compareCounts(stored[name], counts)
  if (process.argv[2] === '--write') writeFileSync(FILE, `${JSON.stringify({ ...stored, [name]: lowered }, null, 2)}\n`)
  return problems
}

/**
 * Returns what is higher than before, and the counts to store. An entry that was never counted must
 * stay absent.
 */
export function compareCounts(before: Counts | undefined, counts: Counts): { problems: string[]; lowered: Counts } {
  const problems: string[] = []
  const lowered: [string, number][] = []
  for (const [entry, count] of Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const limit = before ? (before[entry] ?? 0) : count
    if (count > limit) problems.push(`${entry}: ${count} times, at most ${limit} are allowed`)
    if (Math.min(count, limit) > 0) lowered.push([entry, Math.min(count, limit)])
  }
  return { problems, lowered: Object.fromEntries(lowered) }
}
