import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Bench, type Effort, measure } from './measure.ts'
import { circumstances, markdown, type Suite, type Table } from './report.ts'

// npm run bench [-- --only <suite>] [--case <part of a name>] [--quick]
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    case: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
})
const effort: Effort = { ...(values.quick ? { rounds: 7, slice: 5 } : { rounds: 31, slice: 20 }), only: values.case }

interface SuiteModule {
  title: string
  /** What is measured as CPU an operation. */
  benches?: () => Bench[] | Promise<Bench[]>
  /** What is measured in another way. */
  tables?: (effort: Effort) => AsyncIterable<Table>
  /** Ends what the suite began. */
  close?: () => void | Promise<void>
}

const facts = circumstances()
const suites: Suite[] = []
for (const file of readdirSync(new URL('suites/', import.meta.url)).sort()) {
  if (!file.endsWith('.ts') || (values.only && !file.startsWith(values.only))) continue
  const { title, benches, tables, close } = (await import(`./suites/${file}`)) as SuiteModule
  const suite: Suite = { suite: title, results: [], tables: [] }
  for (const bench of (await benches?.()) ?? []) {
    if (!bench.name.includes(effort.only)) continue
    const result = await measure(bench, effort)
    suite.results.push(result)
    show({ suite: title, results: [result], tables: [] })
  }
  for await (const table of tables?.(effort) ?? []) {
    suite.tables.push(table)
    show({ suite: title, results: [], tables: [table] })
  }
  await close?.()
  suites.push(suite)
}

if (!values.only && !effort.only) {
  facts['load'] += `, ${loadavg()[0]?.toFixed(1)} at its end`
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('results.json', folder), `${JSON.stringify({ ...facts, suites }, null, 1)}\n`)
  writeFileSync(new URL('README.md', folder), markdown(suites, facts))
}

function show(suite: Suite): void {
  const text = markdown([suite], {})
  console.log(text.slice(text.indexOf('\n### ')))
}
