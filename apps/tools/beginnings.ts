import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { isLibrary, listDocuments, listImports, publishedWorkspaces, report, root } from './files.ts'

// The first screen of a README says what the package is for, how to install it, and what the
// smallest program is. The reference of a package is in its docs/.
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
  const fences = [...readme.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```/gm)]
  const [start, program] = fences
  const must = (isSo: boolean | undefined, what: string): void => {
    if (!isSo) problems.push(`${folder}/README.md ${what}`)
  }
  must(readme.startsWith(`# ${manifest.name}\n\n`), 'does not begin with the name')
  must(/^# .*\n\n[A-Z][^\n|`#]+/.test(readme), 'does not say in a sentence what it is')
  must(start?.[1] === 'sh' && start[3]?.includes(manifest.name.replace('/create', '')), 'does not say how to get it')
  const hasReference = listDocuments(folder).length > 1
  must(!hasReference || readme.trimEnd().split('\n').length <= 100, 'has more than 100 lines')
  if (!isLibrary(workspace)) continue
  must(program?.[1] === 'js' && !program[2]?.includes('fragment'), 'has no program behind the installation')
  must(program?.[3]?.includes(`from '${manifest.name}'`), 'has a first program that does not use it')
  const missing = listImports(program?.[3] ?? '').filter(
    (name) => !isBuiltin(name) && !start?.[3]?.split(/\s/).includes(name),
  )
  must(missing.length === 0, `has a first program that needs ${missing.join(', ')}, which is not installed before`)
  must(readme.slice(0, program?.index).split('\n').length <= 24, 'has its first program below the first screen')
}
report('beginnings', problems)
