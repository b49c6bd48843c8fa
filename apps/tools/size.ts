import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listImports, type Manifest, publishedWorkspaces, report, root } from './files.ts'

// Cost of importing a package, limited by budgets.json: the gzipped bytes of its index with
// everything that it imports, its dependencies, and the CPU time of the import. The time budget is
// about three times the measured time: enough for a slower machine, too little for an additional
// library.
interface Budget {
  gzip: number
  dependencies: number
  importMs: number
}

/** Bytes of an unpacked tarball. */
const MAX_UNPACKED = 400_000

const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'budgets.json'), 'utf8')) as Record<string, Budget>
const problems: string[] = []
for (const { folder, manifest } of publishedWorkspaces()) {
  if (!folder.startsWith('packages/') || !manifest.exports?.['.']) continue
  const budget = budgets[manifest.name]
  const index = join(root, folder, 'dist/index.js')
  const bytes = gzipSync(pulledIn(index).join('\n')).length
  const dependencies = Object.keys(manifest.dependencies ?? {}).length
  const time = importTime(index)
  const unpacked = unpackedBytes(folder, manifest)
  console.log(
    `size: ${manifest.name}, ${bytes} bytes of ${budget?.gzip}, ${unpacked} unpacked, ${time.toFixed(1)} ms of ${budget?.importMs}`,
  )
  if (unpacked > MAX_UNPACKED) problems.push(`${manifest.name} has ${unpacked} bytes unpacked, over ${MAX_UNPACKED}`)
  if (!budget) problems.push(`${manifest.name} has no budget`)
  else if (bytes > budget.gzip)
    problems.push(`${manifest.name} has ${bytes} bytes gzipped, its budget is ${budget.gzip}`)
  else if (dependencies > budget.dependencies) problems.push(`${manifest.name} has ${dependencies} dependencies`)
  else if (time > budget.importMs)
    problems.push(`${manifest.name} takes ${time.toFixed(1)} ms to import, its budget is ${budget.importMs}`)
}
report('size', problems)

function pulledIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  const next = listImports(code).filter((specifier) => specifier.startsWith('.'))
  return [code, ...next.flatMap((specifier) => pulledIn(join(dirname(file), specifier), seen))]
}

/** Bytes of the files that npm publishes: those of `files`, and those that it always adds. */
function unpackedBytes(folder: string, { files = [] }: Manifest): number {
  return [...files, 'README.md', 'LICENSE', 'package.json'].reduce(
    (sum, name) => sum + byteLength(join(root, folder, name)),
    0,
  )
}

function byteLength(path: string): number {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + byteLength(join(path, name)), 0)
}

/** Milliseconds of the processor for an import in a fresh process, the least of five. */
function importTime(file: string): number {
  const code = `const before = process.cpuUsage(); await import(${JSON.stringify(file)})
const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000)`
  const run = (): number => Number(spawnSync('node', ['--input-type=module', '-e', code]).stdout.toString())
  return Math.min(run(), run(), run(), run(), run())
}
