import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
const effort: Effort = { ...(values.quick ? { rounds: 7, slice: 5 } : { rounds: 15, slice: 10 }), only: values.case }

interface SuiteModule {
  title: string
  /** What is measured as CPU an operation. */
  benches?: () => Bench[] | Promise<Bench[]>
  /** What is measured in another way. */
  tables?: (effort: Effort) => AsyncIterable<Table>
  /** Ends what the suite began. */
  close?: () => void | Promise<void>
}

const results = new URL('results/', import.meta.url)
const isComplete = !effort.only && !values.quick
for (const file of readdirSync(new URL('suites/', import.meta.url)).sort()) {
  if (!file.endsWith('.ts') || (values.only && !file.startsWith(values.only))) continue
  const { title, benches, tables, close } = (await import(`./suites/${file}`)) as SuiteModule
  const begun = loadavg()[0] ?? 0
  const suite: Suite = {
    file,
    suite: title,
    date: new Date().toISOString().slice(0, 10),
    load: [begun],
    results: [],
    tables: [],
  }
  for (const bench of (await benches?.()) ?? []) {
    if (!bench.name.includes(effort.only)) continue
    const result = await measure(bench, effort)
    suite.results.push(result)
    show({ ...suite, results: [result] })
  }
  for await (const table of tables?.(effort) ?? []) {
    suite.tables.push(table)
    show({ ...suite, results: [], tables: [table] })
  }
  await close?.()
  suite.load.push(loadavg()[0] ?? 0)
  if (isComplete) keep(suite)
}

/** Puts the suite in the place of what an earlier run said of it. */
function keep(suite: Suite): void {
  const file = new URL('results.json', results)
  mkdirSync(results, { recursive: true })
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { suites: Suite[] }).suites : []
  const suites = [...before.filter((other) => other.file !== suite.file), suite]
  suites.sort((a, b) => (a.file < b.file ? -1 : 1))
  const facts = circumstances()
  writeFileSync(file, `${JSON.stringify({ ...facts, suites }, null, 1)}\n`)
  writeFileSync(new URL('README.md', results), markdown(suites, facts))
}

function show(suite: Suite): void {
  const text = markdown([suite], {})
  console.log(text.slice(text.indexOf('\n### ')))
}
