import { type Effort, type Operation, rounds } from './measure.ts'
import { spread, type Table } from './table.ts'

/** Something whose cost may grow with a size. */
export interface Growing {
  name: string
  sizes: readonly number[]
  /** The operation at a size, ready to run. */
  prepare: (size: number) => Operation | Promise<Operation>
  /** The goal: what the exponent is at most. */
  most?: number
  id?: string
  reason?: string
}

/** Measures how each cost grows: as the exponent of a power law across its sizes. */
export async function growthTable(
  table: string,
  note: string,
  growing: readonly Growing[],
  effort: Effort,
): Promise<Table> {
  const rows: Table['rows'] = []
  const goals: Table['goals'] = []
  for (const { name, sizes, prepare, id = 'growth', most, reason } of growing) {
    if (!name.includes(effort.only)) continue
    const operations: { name: string; run: Operation }[] = []
    for (const size of sizes) operations.push({ name: String(size), run: await prepare(size) })
    const costs = [...(await rounds(operations, effort)).values()].map((samples) => spread(samples).median)
    const exponent = fitExponent(sizes, costs)
    rows.push({ name, figures: [sizes[0] ?? 0, costs[0] ?? 0, sizes.at(-1) ?? 0, costs.at(-1) ?? 0, exponent] })
    if (most === undefined) continue
    goals.push({
      id,
      what: `exponent of ${name}`,
      most,
      unit: 'exponent',
      reached: [exponent],
      ...(reason && { reason }),
    })
  }
  const columns: Table['columns'] = [
    { name: 'from', unit: 'per second' },
    { name: 'CPU', unit: 'time' },
    { name: 'to', unit: 'per second' },
    { name: 'CPU', unit: 'time' },
    { name: 'exponent', unit: 'exponent' },
  ]
  return { table, note, columns, rows, goals }
}

/** The slope of the line through the logarithms. */
function fitExponent(sizes: readonly number[], costs: readonly number[]): number {
  const xs = sizes.map(Math.log)
  const ys = costs.map((cost) => Math.log(Math.max(cost, 0.1)))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const rise = xs.reduce((sum, value, index) => sum + (value - x) * ((ys[index] ?? 0) - y), 0)
  return rise / xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
}
