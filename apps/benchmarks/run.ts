import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Bench, measure } from './measure.ts'
import { circumstances, markdown, type Suite } from './report.ts'

// npm run bench [-- --only <suite>] [--quick]
const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } })
const effort = values.quick ? { rounds: 7, slice: 5 } : { rounds: 31, slice: 20 }

interface SuiteModule {
  title: string
  benches: () => Bench[] | Promise<Bench[]>
  /** Ends what the suite began. */
  close?: () => void | Promise<void>
}

const suites: Suite[] = []
for (const file of readdirSync(new URL('suites/', import.meta.url)).sort()) {
  if (!file.endsWith('.ts') || (values.only && !file.startsWith(values.only))) continue
  const { title, benches, close } = (await import(`./suites/${file}`)) as SuiteModule
  const results = []
  for (const bench of await benches()) {
    const result = await measure(bench, effort)
    results.push(result)
    console.log(
      markdown([{ suite: title, results: [result] }], {})
        .split('\n')
        .slice(8)
        .join('\n'),
    )
  }
  await close?.()
  suites.push({ suite: title, results })
}

if (!values.only) {
  const facts = circumstances()
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('results.json', folder), `${JSON.stringify({ ...facts, suites }, null, 1)}\n`)
  writeFileSync(new URL('README.md', folder), markdown(suites, facts))
}
