/** Something that is measured. `run` may return a promise, which is then awaited each time. */
export interface Contender {
  name: string
  run: () => unknown
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
}

/** Measures all contenders of a bench in turn, round by round, so that each sees the same machine. */
export async function measure(
  { name, base, contenders, ours, goals = [], overhead }: Bench,
  { rounds, slice }: Effort,
): Promise<Result> {
  const counts = new Map<string, number>()
  for (const contender of contenders) counts.set(contender.name, await calibrate(contender, slice))
  const costs = new Map<string, number[]>(contenders.map((contender) => [contender.name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(turn + round) % contenders.length] as Contender
      costs.get(contender.name)?.push(await cpuOf(contender, counts.get(contender.name) ?? 1))
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

/** How many operations fill a slice. The way there also warms the code up. */
async function calibrate(contender: Contender, slice: number): Promise<number> {
  let count = 1
  for (;;) {
    const cost = (await cpuOf(contender, count)) * count
    if (cost >= slice * 1e6 || count >= 1e8) return count
    const wanted = (slice * 1e6) / Math.max(cost / count, 0.5)
    count = Math.ceil(Math.min(Math.max(wanted, count * 1.2), count * 20))
  }
}

async function cpuOf({ run }: Contender, count: number): Promise<number> {
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

function spread(values: number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), low: at(0.1), high: at(0.9) }
}

function ratioOf(own: number[], base: number[]): number {
  return spread(own.map((cost, round) => cost / (base[round] || 1))).median
}
