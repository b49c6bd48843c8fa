import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoted, quotingPackages } from '../benchmarks/harness/quotes.ts'
import type { Results } from '../benchmarks/harness/report.ts'
import { report, root } from './files.ts'

// What READMEs quote of the benchmarks is what the results say: `node apps/benchmarks/quote.ts` writes it.
const results = JSON.parse(readFileSync(join(root, 'apps/benchmarks/results/results.json'), 'utf8')) as Results
const problems = quotingPackages.flatMap((name) => {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
  try {
    return quoted(readme, name, results) === readme ? [] : [`packages/${name}/README.md quotes other figures`]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
})
report('measured', problems)
