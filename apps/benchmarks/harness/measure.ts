import { remoteModule } from './remote.ts'
import { computeRatio, spread, type Table, type Target } from './table.ts'

/** An operation to measure. A promise that it returns is awaited. */
export type Operation = () => unknown

/** An operation of a suite with its name, or what prepares it. */
export type Contender = { name: string } & ({ run: Operation } | { prepare: () => Promise<Operation> })

/** The CPU of ours: in relation to that of a peer, or in nanoseconds if there is none. */
export interface CpuTarget extends Target {
  against?: string
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
  goals?: CpuTarget[]
  /**
   * A contender that does only what the bench itself costs: subtracted from all others, in each
   * round.
   */
  overhead?: string
  /** For what takes long. @defaultValue as many as all */
  rounds?: number
  /**
   * Milliseconds of a round, for data that would leave the caches between short ones.
   * @defaultValue as many as all
   */
  slice?: number
}

export interface Effort {
  /** Processes that each contender is measured in, one after the other. */
  processes: number
  /** Rounds in all of them. */
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

/** Between the first rounds, V8 compiles the event loop and what it calls once more. */
const UNCOUNTED_ROUNDS = 10

/**
 * Measures all contenders of a bench in turn, round by round, so that each sees the same machine.
 * Each is in a process of its own: in one process they slow each other down, because each sees the
 * engine as the others left it. Two processes of one program differ as well, so each has several.
 */
export async function measure(
  bench: Bench,
  effort: Pick<Effort, 'processes' | 'rounds' | 'slice'>,
  suite: URL,
): Promise<Table> {
  const { name, base, overhead } = bench
  const contenders = bench.contenders.map((contender) => contender.name).filter((contender) => contender !== overhead)
  const costs: Costs = new Map(contenders.map((contender) => [contender, []]))
  const rounds = Math.ceil(Math.min(effort.rounds, bench.rounds ?? effort.rounds) / effort.processes)
  for (let turn = 0; turn < effort.processes; turn++) {
    const started = contenders.map((contender) => {
      const module = remoteModule(suite)
      const measureOne = (operation: string) =>
        module.operation(nameOperation(name, operation)).costOf(bench.slice ?? effort.slice)
      const netCost = async (): Promise<number> => {
        const cost = await measureOne(contender)
        return overhead === undefined ? cost : Math.max(cost - (await measureOne(overhead)), 0.1)
      }
      return { module, measured: [contender, netCost] as const }
    })
    const turns = started.map(({ measured }) => measured)
    try {
      for (let round = 0; round < UNCOUNTED_ROUNDS; round++) for (const [, costOf] of turns) await costOf()
      await takeTurns(turns, rounds, costs)
    } finally {
      for (const { module } of started) module.stop()
    }
  }
  const of = (contender: string): number[] => costs.get(contender) ?? []
  const ours = bench.ours ?? contenders.find((contender) => contender.startsWith('@svc/')) ?? base
  return {
    table: name,
    columns: [
      { name: 'CPU', unit: 'time' },
      { name: '10 %', unit: 'time', keep: 'least' },
      { name: '90 %', unit: 'time', keep: 'greatest' },
      { name: `to ${base}`, unit: 'times' },
    ],
    rows: [...costs].map(([contender, samples]) => {
      const { median, low, high } = spread(samples)
      return { name: contender, figures: [median, low, high, computeRatio(samples, of(base))] }
    }),
    goals: (bench.goals ?? []).map(({ against, of: contender, ...target }) => {
      const what = `CPU${contender ? ` of ${contender}` : ''}`
      const samples = of(contender ?? ours)
      return against === undefined
        ? { ...target, what, unit: 'time', reached: [spread(samples).median] }
        : { ...target, what: `${what} to ${against}`, unit: 'times', reached: [computeRatio(samples, of(against))] }
    }),
  }
}

/** The operations of a suite, prepared when they are needed. */
export function listOperations(benches: readonly Bench[]): Record<string, () => Promise<Operation>> {
  const operations = benches.flatMap((bench) =>
    bench.contenders.map((contender) => {
      const prepare = 'run' in contender ? async () => contender.run : contender.prepare
      return [nameOperation(bench.name, contender.name), prepare] as const
    }),
  )
  return Object.fromEntries(operations)
}

function nameOperation(bench: string, contender: string): string {
  return `${bench}: ${contender}`
}

/** Measures operations of this process: CPU nanoseconds of one in each round. */
export async function rounds(
  operations: readonly { name: string; run: Operation }[],
  { rounds, slice }: Pick<Effort, 'rounds' | 'slice'>,
): Promise<Costs> {
  const turns: Turn[] = []
  for (const { name, run } of operations) {
    const count = await calibrate(run, slice)
    turns.push([name, () => measureCpu(run, count)])
  }
  const costs: Costs = new Map(operations.map(({ name }) => [name, []]))
  await takeTurns(turns, rounds, costs)
  return costs
}

/** The name of a contender, and the measuring of its cost. */
type Turn = readonly [name: string, costOf: () => Promise<number>]

async function takeTurns(turns: readonly Turn[], rounds: number, costs: Costs): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < turns.length; turn++) {
      const [name, costOf] = turns[(turn + round) % turns.length] as Turn
      costs.get(name)?.push(await costOf())
    }
  }
}

/** Returns the number of operations that fill a slice. Calibration also warms up the code. */
export async function calibrate(run: Operation, slice: number): Promise<number> {
  let count = 1
  for (;;) {
    const cost = (await measureCpu(run, count)) * count
    if (cost >= slice * 1e6 || count >= 1e8) return count
    const wanted = (slice * 1e6) / Math.max(cost / count, 0.5)
    count = Math.ceil(Math.min(Math.max(wanted, count * 1.2), count * 20))
  }
}

/** CPU nanoseconds of one of so many operations. */
export async function measureCpu(run: Operation, count: number): Promise<number> {
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
