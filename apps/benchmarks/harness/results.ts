import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { circumstances } from './machine.ts'
import { markdown, type Results, type Suite } from './report.ts'

const folder = new URL('../results/', import.meta.url)
const file = new URL('results.json', folder)

/** Returns the results of the last runs. */
export function readResults(): Results {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Results
  return { ...circumstances(), suites: [] }
}

/** Puts a suite in the place of what an earlier run said of it. */
export function keepSuite(suite: Suite): void {
  const others = readResults().suites.filter((other) => other.file !== suite.file)
  const suites = [...others, suite].toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const results = { ...circumstances(), suites }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, rounded, 1)}\n`)
  writeFileSync(new URL('README.md', folder), markdown(results))
}

/** Five digits are more than any figure is worth. */
function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value
}
