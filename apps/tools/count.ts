import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './files.ts'
import { needsMissing } from './skipped-reporter.ts'

// Adds up the reports of all suites, and the checks: `count.ts <checks passed> <checks failed>`.
interface Suite {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
}

let passed = Number(process.argv[2] ?? 0)
let failed = Number(process.argv[3] ?? 0)
let skipped = 0
const missing: string[] = []
for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    const folder = join(root, group, name, '.reports')
    if (!existsSync(folder)) continue
    for (const file of readdirSync(folder)) {
      if (file.endsWith('-skipped.txt')) failed += countMissing(join(folder, file))
      if (!file.endsWith('.json')) continue
      const suite = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Suite
      passed += suite.numPassedTests
      failed += suite.numFailedTests
      skipped += suite.numPendingTests
      if (suite.numFailedTests === 0 && suite.numFailedTestSuites > 0) failed += suite.numFailedTestSuites
    }
  }
}
process.stdout.write(missing.join(''))
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 ? 0 : 1

/** Tests that were skipped because a server or a browser is missing: nothing lands without them. */
function countMissing(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n').filter(needsMissing)
  missing.push(...lines.map((line) => `!! ${line}\n`))
  return lines.length
}
