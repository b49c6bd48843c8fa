import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isLibrary, listImports, publishedWorkspaces, report, root } from './files.ts'

// Cost of importing a package, limited by budgets.json: the gzipped bytes of its index with
// everything that it imports, its dependencies, and the CPU time of the import as a share of that
// of Express in the same minute, so that a slow machine changes nothing.
interface Budget {
  gzip: number
  dependencies: number
  importOfExpress: number
}

/** Bytes of an unpacked tarball. */
const MAX_UNPACKED = 400_000

const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'budgets.json'), 'utf8')) as Record<string, Budget>
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  if (!isLibrary(workspace)) continue
  const budget = budgets[manifest.name]
  const index = join(root, folder, 'dist/index.js')
  const bytes = gzipSync(pulledIn(index).join('\n')).length
  const dependencies = Object.keys(manifest.dependencies ?? {}).length
  const share = importTime(index) / importTime('express')
  const unpacked = unpackedBytes(folder)
  console.log(
    `size: ${manifest.name}, ${bytes} bytes of ${budget?.gzip}, ${unpacked} unpacked, import ${share.toFixed(2)} of ${budget?.importOfExpress}`,
  )
  if (unpacked > MAX_UNPACKED) problems.push(`${manifest.name} has ${unpacked} bytes unpacked, over ${MAX_UNPACKED}`)
  if (!budget) problems.push(`${manifest.name} has no budget`)
  else if (bytes > budget.gzip)
    problems.push(`${manifest.name} has ${bytes} bytes gzipped, its budget is ${budget.gzip}`)
  else if (dependencies > budget.dependencies) problems.push(`${manifest.name} has ${dependencies} dependencies`)
  else if (share > budget.importOfExpress)
    problems.push(
      `${manifest.name} takes ${share.toFixed(2)} of the import of Express, its budget is ${budget.importOfExpress}`,
    )
}
report('size', problems)

function pulledIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  const next = listImports(code).filter((specifier) => specifier.startsWith('.'))
  return [code, ...next.flatMap((specifier) => pulledIn(join(dirname(file), specifier), seen))]
}

/**
 * Bytes of the files that npm publishes, except those that `prepack` writes for language models:
 * they repeat the documents.
 */
function unpackedBytes(folder: string): number {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: join(root, folder) })
  const [packed] = JSON.parse(output.toString()) as [{ files: { path: string; size: number }[] }]
  return packed.files.reduce((sum, { path, size }) => (path.startsWith('docs/llms') ? sum : sum + size), 0)
}

/** Milliseconds of the processor for an import in a fresh process, the least of five. */
function importTime(specifier: string): number {
  const code = `const before = process.cpuUsage(); await import(${JSON.stringify(specifier)})
const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000)`
  const run = (): number => Number(execFileSync('node', ['--input-type=module', '-e', code], { cwd: root }).toString())
  return Math.min(run(), run(), run(), run(), run())
}
