/** Unit of the figures in a column. Times are in nanoseconds. */
export type Unit = 'time' | 'times' | 'per second' | 'bytes' | 'exponent'

export interface Column {
  name: string
  unit: Unit
  /** Figure to store out of several runs. @defaultValue the median */
  keep?: 'least' | 'greatest'
  /** Whether other load on the machine affects the figure, unlike CPU time. */
  wall?: boolean
}

export interface Row {
  name: string
  /** One for each column; `null` where there is none. */
  figures: (number | null)[]
}

/** Target value: maximum (`most`) or minimum (`least`). */
export interface Target {
  id: string
  most?: number
  least?: number
  /** Why it is missed, where it is known to be: printed by every run that misses it. */
  reason?: string
  /** Why the goal cannot be reached: it is not judged any longer. */
  struck?: string
}

export interface Goal extends Target {
  /** Description of the goal. */
  what: string
  unit: Unit
  wall?: boolean
  /** The figure of each run. */
  reached: number[]
}

export interface Table {
  table: string
  note?: string
  columns: Column[]
  rows: Row[]
  goals: Goal[]
}

/**
 * Several runs of one suite as one: the median of each figure, and for each goal what every run
 * reached.
 */
export function foldRuns(runs: readonly Table[][]): Table[] {
  const [first = []] = runs
  return first.map((table) => {
    const alike = runs.flatMap((run) => run.find((other) => other.table === table.table) ?? [])
    const figuresAt = (name: string, column: number): number[] =>
      alike.flatMap(({ rows }) => rows.find((row) => row.name === name)?.figures[column] ?? [])
    return {
      ...table,
      rows: table.rows.map(({ name }) => ({
        name,
        figures: table.columns.map(({ keep }, column) => fold(figuresAt(name, column), keep)),
      })),
      goals: table.goals.map((goal, index) => ({
        ...goal,
        reached: alike.flatMap(({ goals }) => goals[index]?.reached ?? []),
      })),
    }
  })
}

function fold(figures: number[], keep: Column['keep']): number | null {
  if (figures.length === 0) return null
  if (keep === 'least') return Math.min(...figures)
  return keep === 'greatest' ? Math.max(...figures) : spread(figures).median
}

/** Median, 10th and 90th percentile. */
export function spread(values: readonly number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const findQuantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: findQuantile(0.5), low: findQuantile(0.1), high: findQuantile(0.9) }
}

/** The median of the ratios within each round: what the machine does else hits both. */
export function computeRatio(costs: readonly number[], base: readonly number[]): number {
  return spread(costs.map((cost, round) => cost / (base[round] || 1))).median
}
