/** Something that is measured: an operation of this process, whose promise is awaited, or one of another process. */
export type Contender = { name: string } & ({ run: () => unknown } | Remote)

/** Runs an operation for about so many milliseconds in a process of its own: CPU nanoseconds each. */
export interface Remote {
  costOf: (sliceMs: number) => Promise<number>
}

/** Ours must cost at most `ratio` times what the peer costs. */
export interface Goal {
  id: string
  against: string
  ratio: number
}

export interface Bench {
  name: string
  /** The contender that the ratios are to. */
  base: string
  contenders: Contender[]
  /** The contender that the goals speak of. @defaultValue the first whose name starts with `@svc/` */
  ours?: string
  goals?: Goal[]
  /** A contender that does only what the bench itself costs: subtracted from all others, in each round. */
  overhead?: string
}

export interface Row {
  name: string
  /** CPU nanoseconds an operation: median, 10th and 90th percentile over the rounds. */
  median: number
  low: number
  high: number
  /** To the base, as the median of the ratios within each round: what the machine does else hits both. */
  ratio: number
}

export interface Result {
  bench: string
  rows: Row[]
  goals: (Goal & { reached: number; met: boolean })[]
}

export interface Effort {
  rounds: number
  /** Milliseconds that one contender runs in one round. */
  slice: number
  /** Part of the names of what is to be measured; empty: all. */
  only: string
}

/** Measures all contenders of a bench in turn, round by round, so that each sees the same machine. */
export async function measure(
  { name, base, contenders, ours, goals = [], overhead }: Bench,
  { rounds, slice }: Pick<Effort, 'rounds' | 'slice'>,
): Promise<Result> {
  const costOf = new Map<string, () => Promise<number>>()
  for (const contender of contenders) costOf.set(contender.name, await prepare(contender, slice))
  const costs = new Map<string, number[]>(contenders.map((contender) => [contender.name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(turn + round) % contenders.length] as Contender
      costs.get(contender.name)?.push((await costOf.get(contender.name)?.()) ?? 0)
    }
  }
  if (overhead) subtract(costs, overhead)
  const rows = contenders
    .filter((contender) => contender.name !== overhead)
    .map((contender) => {
      const own = costs.get(contender.name) ?? []
      return { name: contender.name, ...spread(own), ratio: ratioOf(own, costs.get(base) ?? []) }
    })
  const hero = ours ?? contenders.find((contender) => contender.name.startsWith('@svc/'))?.name ?? base
  const judged = goals.map((goal) => {
    const reached = ratioOf(costs.get(hero) ?? [], costs.get(goal.against) ?? [])
    return { ...goal, reached, met: reached <= goal.ratio }
  })
  return { bench: name, rows, goals: judged }
}

function subtract(costs: Map<string, number[]>, overhead: string): void {
  const own = costs.get(overhead) ?? []
  for (const [name, rounds] of costs) {
    if (name !== overhead)
      costs.set(
        name,
        rounds.map((cost, round) => Math.max(cost - (own[round] ?? 0), 0.1)),
      )
  }
}

async function prepare(contender: Contender, slice: number): Promise<() => Promise<number>> {
  if ('costOf' in contender) {
    await contender.costOf(slice)
    return () => contender.costOf(slice)
  }
  const count = await calibrate(contender.run, slice)
  return () => cpuOf(contender.run, count)
}

/** How many operations fill a slice. The way there also warms the code up. */
export async function calibrate(run: () => unknown, slice: number): Promise<number> {
  let count = 1
  for (;;) {
    const cost = (await cpuOf(run, count)) * count
    if (cost >= slice * 1e6 || count >= 1e8) return count
    const wanted = (slice * 1e6) / Math.max(cost / count, 0.5)
    count = Math.ceil(Math.min(Math.max(wanted, count * 1.2), count * 20))
  }
}

/** CPU nanoseconds of one of so many operations. */
export async function cpuOf(run: () => unknown, count: number): Promise<number> {
  const first = run()
  const isAsync = typeof first === 'object' && first !== null && 'then' in first
  if (isAsync) await first
  const start = process.cpuUsage()
  if (isAsync) for (let at = 0; at < count; at++) await run()
  else for (let at = 0; at < count; at++) sink = run()
  const { user, system } = process.cpuUsage(start)
  return ((user + system) * 1000) / count
}

/** Keeps results alive, so that nothing is optimised away. */
export let sink: unknown

export function spread(values: number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), low: at(0.1), high: at(0.9) }
}

/** The median of the ratios within each round. */
export function ratioOf(own: number[], base: number[]): number {
  return spread(own.map((cost, round) => cost / (base[round] || 1))).median
}
