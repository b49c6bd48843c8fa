import { computeRatio, spread, type Table, type Target } from './table.ts'

/**
 * Something that is measured: an operation of this process, whose promise is awaited, or one of
 * another process.
 */
export type Contender = { name: string } & ({ run: () => unknown } | Remote)

/**
 * Runs an operation for about so many milliseconds in a process of its own: CPU nanoseconds each.
 */
export interface Remote {
  costOf: (sliceMs: number) => Promise<number>
}

/** The CPU of ours in relation to that of a peer. */
export interface PeerTarget extends Target {
  against: string
  /** Another contender than ours. */
  of?: string
}

export interface Bench {
  name: string
  /** The contender that the ratios are to. */
  base: string
  contenders: Contender[]
  /**
   * The contender that the goals speak of.
   * @defaultValue the first whose name starts with `@svc/`
   */
  ours?: string
  goals?: PeerTarget[]
  /**
   * A contender that does only what the bench itself costs: subtracted from all others, in each
   * round.
   */
  overhead?: string
  /** For what takes long. @defaultValue as many as all */
  rounds?: number
}

export interface Effort {
  rounds: number
  /** Milliseconds that one contender runs in one round. */
  slice: number
  /**
   * Requests that each server gets before others are counted, for twice the time at first: at
   * least this time and this many, unless they take longer than `maxMs`.
   */
  warmUp: { ms: number; requests: number; maxMs: number }
  /** Part of the names of what is to be measured; empty: all. */
  only: string
}

type Costs = Map<string, number[]>

/**
 * Measures all contenders of a bench in turn, round by round, so that each sees the same machine.
 */
export async function measure(bench: Bench, effort: Pick<Effort, 'rounds' | 'slice'>): Promise<Table> {
  const { name, base, contenders, overhead } = bench
  const costs = await rounds(contenders, { ...effort, rounds: Math.min(effort.rounds, bench.rounds ?? effort.rounds) })
  if (overhead) subtract(costs, overhead)
  const of = (contender: string): number[] => costs.get(contender) ?? []
  const ours = bench.ours ?? contenders.find((contender) => contender.name.startsWith('@svc/'))?.name ?? base
  return {
    table: name,
    columns: [
      { name: 'CPU', unit: 'time' },
      { name: '10 %', unit: 'time', keep: 'least' },
      { name: '90 %', unit: 'time', keep: 'greatest' },
      { name: `to ${base}`, unit: 'times' },
    ],
    rows: contenders
      .filter((contender) => contender.name !== overhead)
      .map((contender) => {
        const { median, low, high } = spread(of(contender.name))
        return { name: contender.name, figures: [median, low, high, computeRatio(of(contender.name), of(base))] }
      }),
    goals: (bench.goals ?? []).map(({ against, of: contender, ...target }) => ({
      ...target,
      what: `CPU${contender ? ` of ${contender}` : ''} to ${against}`,
      unit: 'times',
      reached: [computeRatio(of(contender ?? ours), of(against))],
    })),
  }
}

/** Returns the cost of each contender in each round, in CPU nanoseconds per operation. */
export async function rounds(
  contenders: readonly Contender[],
  { rounds, slice }: Pick<Effort, 'rounds' | 'slice'>,
): Promise<Costs> {
  const prepared: { costOf: () => Promise<number>; costs: number[] }[] = []
  const costs: Costs = new Map()
  for (const contender of contenders) {
    const samples: number[] = []
    costs.set(contender.name, samples)
    prepared.push({ costOf: await prepare(contender, slice), costs: samples })
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < prepared.length; turn++) {
      const entry = prepared[(turn + round) % prepared.length]
      entry?.costs.push(await entry.costOf())
    }
  }
  return costs
}

function subtract(costs: Costs, overhead: string): void {
  const bare = costs.get(overhead) ?? []
  for (const [name, samples] of costs) {
    if (name === overhead) continue
    const net = samples.map((cost, round) => Math.max(cost - (bare[round] ?? 0), 0.1))
    costs.set(name, net)
  }
}

async function prepare(contender: Contender, slice: number): Promise<() => Promise<number>> {
  if ('costOf' in contender) {
    await contender.costOf(slice)
    return () => contender.costOf(slice)
  }
  const count = await calibrate(contender.run, slice)
  return () => measureCpu(contender.run, count)
}

/** Returns the number of operations that fill a slice. Calibration also warms up the code. */
export async function calibrate(run: () => unknown, slice: number): Promise<number> {
  let count = 1
  for (;;) {
    const cost = (await measureCpu(run, count)) * count
    if (cost >= slice * 1e6 || count >= 1e8) return count
    const wanted = (slice * 1e6) / Math.max(cost / count, 0.5)
    count = Math.ceil(Math.min(Math.max(wanted, count * 1.2), count * 20))
  }
}

/** CPU nanoseconds of one of so many operations. */
export async function measureCpu(run: () => unknown, count: number): Promise<number> {
  const first = run()
  const isAsync = typeof first === 'object' && first !== null && 'then' in first
  if (isAsync) await first
  const start = process.cpuUsage()
  if (isAsync) for (let index = 0; index < count; index++) await run()
  else for (let index = 0; index < count; index++) sink = run()
  const { user, system } = process.cpuUsage(start)
  return ((user + system) * 1000) / count
}

/** Keeps results alive, so that nothing is optimised away. */
export let sink: unknown
