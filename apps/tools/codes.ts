import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codesIn, publishedWorkspaces, report, root, sourceCodes } from './files.ts'

// Codes are API: each code that a package's source names stands in its README, and the README names no other.
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  if (!folder.startsWith('packages/')) continue
  const inSource = new Set(sourceCodes(workspace))
  const readme = join(root, folder, 'README.md')
  const inReadme = new Set(existsSync(readme) ? codesIn(readFileSync(readme, 'utf8')) : [])
  const prefix = `_${manifest.name.replace('@svc/', '').replaceAll('-', '_').toUpperCase()}`
  for (const code of inSource) if (!inReadme.has(code)) problems.push(`${code} is not in ${folder}/README.md`)
  for (const code of inReadme) {
    if (!inSource.has(code) && code.startsWith(`ERR${prefix}`))
      problems.push(`${folder}/README.md names ${code}, which no source uses`)
  }
}
report('codes', problems)
