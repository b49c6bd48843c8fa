import { readFileSync, writeFileSync } from 'node:fs'
import { quoted, quotingPackages } from './harness/quotes.ts'
import { readResults } from './harness/results.ts'

// Writes into the READMEs of the packages what results/results.json says; `npm run bench` does so at its end.
const results = readResults()
for (const name of quotingPackages) {
  const file = new URL(`../../packages/${name}/README.md`, import.meta.url)
  writeFileSync(file, quoted(readFileSync(file, 'utf8'), name, results))
}
