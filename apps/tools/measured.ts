import { quoted, quotingDocument, quotingPackages } from '../benchmarks/harness/quotes.ts'
import type { Results } from '../benchmarks/harness/report.ts'
import { listDocuments, readText, report } from './files.ts'

// The measurements that READMEs, docs and the home page quote are those of the results:
// `node apps/benchmarks/quote.ts` writes them.
const results = JSON.parse(readText('apps/benchmarks/results/results.json')) as Results
const problems = quotingPackages.flatMap((name) => {
  try {
    const file = quotingDocument(name, listDocuments, readText)
    const text = readText(file)
    return quoted(text, name, results) === text ? [] : [`${file} quotes other results`]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
})
report('measured', problems)
