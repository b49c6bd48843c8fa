import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedWorkspaces, report, root, trackedFiles } from './files.ts'

// Codes are API: each code that a package's source names stands in its README, and the README names no other.
const pattern = /\b(?:ERR|WRN)_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g
const problems: string[] = []
for (const { folder, manifest } of publishedWorkspaces()) {
  if (!folder.startsWith('packages/')) continue
  const sources = trackedFiles(new RegExp(`^${folder}/src/.*(?<!\\.test)\\.ts$`))
  const inSource = new Set(sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(pattern) ?? []))
  const readme = join(root, folder, 'README.md')
  const inReadme = new Set(existsSync(readme) ? (readFileSync(readme, 'utf8').match(pattern) ?? []) : [])
  const prefix = `_${manifest.name.replace('@svc/', '').replaceAll('-', '_').toUpperCase()}`
  for (const code of inSource) if (!inReadme.has(code)) problems.push(`${code} is not in ${folder}/README.md`)
  for (const code of inReadme) {
    if (!inSource.has(code) && code.startsWith(`ERR${prefix}`))
      problems.push(`${folder}/README.md names ${code}, which no source uses`)
  }
}
report('codes', problems)
