import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { lookAround, type Surroundings } from './harness/machine.ts'
import { type Bench, type Effort, measure } from './harness/measure.ts'
import { goalLine, tableLines } from './harness/report.ts'
import { keepSuite } from './harness/results.ts'
import { foldRuns, type Table } from './harness/table.ts'

// npm run bench [-- --only <suite>] [--case <part of a name>] [--runs <count>] [--quick]
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    case: { type: 'string', default: '' },
    runs: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
  },
})
const isQuick = values.quick
const runsWanted = Number(values.runs)
if (!(Number.isInteger(runsWanted) && runsWanted > 0))
  throw new TypeError(`--runs must be a number, got ${values.runs}`)
// V8 compiles for some 40,000 requests, and for as many again when a scenario reaches code that the
// ones before did not.
const effort: Effort = {
  ...(isQuick
    ? { processes: 1, rounds: 7, slice: 5, warmUp: { ms: 1000, requests: 0, maxMs: 2000 } }
    : { processes: 3, rounds: 15, slice: 10, warmUp: { ms: 4000, requests: 40_000, maxMs: 8000 } }),
  only: values.case,
}
const isComplete = !values.case && !isQuick

/** A file of `suites`. */
interface SuiteModule {
  title: string
  /** Operations measured in CPU time each. */
  benches?: () => Bench[] | Promise<Bench[]>
  /** Tables that are measured in another way. */
  tables?: (effort: Effort) => AsyncIterable<Table>
  /** It takes too long for more than one run. */
  once?: boolean
  /** Ends what a run began. */
  close?: () => void | Promise<void>
}

const begun = performance.now()
const files = readdirSync(new URL('suites/', import.meta.url)).filter((file) => file.startsWith(values.only))
if (files.length === 0) throw new TypeError(`there is no suite ${values.only}`)
for (const file of files.sort()) {
  const url = new URL(`suites/${file}`, import.meta.url)
  const module = (await import(url.href)) as SuiteModule
  const surroundings: Surroundings = { load: [], others: [] }
  const runs: Table[][] = []
  const count = isQuick || module.once ? 1 : runsWanted
  for (let run = 0; run < count; run++) {
    await look(surroundings)
    runs.push(await once(module, url))
  }
  await look(surroundings)
  const date = new Date().toISOString().slice(0, 10)
  const suite = {
    file,
    suite: module.title,
    date,
    node: process.version,
    runs: count,
    surroundings,
    tables: foldRuns(runs),
  }
  if (isComplete) keepSuite(suite)
  console.log(`\n${file}: ${((performance.now() - begun) / 60_000).toFixed(1)} minutes since the start`)
}

if (isComplete && !values.only) await import('./quote.ts')

async function look(surroundings: Surroundings): Promise<void> {
  const { load, others } = await lookAround()
  surroundings.load.push(load)
  surroundings.others.push(others)
}

async function once({ title, benches, tables, close }: SuiteModule, url: URL): Promise<Table[]> {
  const done: Table[] = []
  const keep = (table: Table): void => {
    done.push(table)
    const goals = table.goals.map((goal) => goalLine(title, table.table, goal, false))
    console.log([...tableLines(table), '', ...goals].join('\n'))
  }
  for (const bench of (await benches?.()) ?? [])
    if (bench.name.includes(effort.only)) keep(await measure(bench, effort, url))
  for await (const table of tables?.(effort) ?? []) keep(table)
  await close?.()
  return done
}
