import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { report, root, trackedFiles } from './files.ts'

// `npm ci` fails on other platforms when npm left an optional platform package out of the lockfile;
// and addresses in it would tie it to one registry.
interface Entry {
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const problems: string[] = []
for (const file of trackedFiles(/(^|\/)package-lock\.json$/)) {
  const lock = JSON.parse(readFileSync(join(root, file), 'utf8')) as { packages: Record<string, Entry> }
  const names = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, '')))
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved?.startsWith('http')) problems.push(`${file}: ${path} names a download address`)
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!names.has(name)) problems.push(`${file}: ${path} wants ${name}, which is not in the lockfile`)
    }
  }
}
report('lockfile', problems)
