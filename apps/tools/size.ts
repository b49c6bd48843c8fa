import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importsOf, publishedWorkspaces, report, root } from './files.ts'

// What an import of a package costs: the gzipped bytes of its index and all that this pulls in, and its dependencies,
// held to budgets.json; and the time of the import, which is only printed, since it depends on the machine.
interface Budget {
  gzip: number
  dependencies: number
}

const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'budgets.json'), 'utf8')) as Record<string, Budget>
const problems: string[] = []
for (const { folder, manifest } of publishedWorkspaces()) {
  if (!folder.startsWith('packages/') || !manifest.exports?.['.']) continue
  const budget = budgets[manifest.name]
  const index = join(root, folder, 'dist/index.js')
  const bytes = gzipSync(pulledIn(index).join('\n')).length
  const dependencies = Object.keys(manifest.dependencies ?? {}).length
  console.log(`size: ${manifest.name}, ${bytes} bytes of ${budget?.gzip}, imported in ${importTime(index)} ms`)
  if (!budget) problems.push(`${manifest.name} has no budget`)
  else if (bytes > budget.gzip)
    problems.push(`${manifest.name} has ${bytes} bytes gzipped, its budget is ${budget.gzip}`)
  else if (dependencies > budget.dependencies) problems.push(`${manifest.name} has ${dependencies} dependencies`)
}
report('size', problems)

function pulledIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  const next = importsOf(code).filter((specifier) => specifier.startsWith('.'))
  return [code, ...next.flatMap((specifier) => pulledIn(join(dirname(file), specifier), seen))]
}

/** The fastest of three fresh processes, without the start of Node. */
function importTime(file: string): string {
  const code = `const t = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - t)`
  const run = (): number => Number(spawnSync('node', ['--input-type=module', '-e', code]).stdout.toString())
  return Math.min(run(), run(), run()).toFixed(1)
}
