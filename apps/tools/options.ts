import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedWorkspaces, report, root } from './files.ts'
import { optionTable } from './option-table.ts'
import { publicApi } from './public-api.ts'

// The tables of options in the READMEs are made from the types: a line `<!-- options: RateLimitOptions -->` says which
// interface the table behind it shows. `--write` makes them; without it they must be what would be written.
const MARKED = /^<!-- options: (\w+) -->\n(?:\|.*\n)*/gm

const isWriting = process.argv[2] === '--write'
const problems: string[] = []
let tables = 0
for (const workspace of publishedWorkspaces()) {
  if (!workspace.folder.startsWith('packages/') || !workspace.manifest.exports?.['.']) continue
  const file = `${workspace.folder}/README.md`
  const readme = readFileSync(join(root, file), 'utf8')
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const symbols = new Map(entries.flatMap(({ symbols }) => [...symbols]))
  const before = tables
  const made = readme.replace(MARKED, (_all, name: string) => {
    const symbol = symbols.get(name)
    tables++
    if (!symbol) problems.push(`${file} wants a table of ${name}, which nobody exports`)
    return `<!-- options: ${name} -->\n${symbol ? optionTable(symbol, checker).join('\n') : ''}\n`
  })
  if (tables === before) problems.push(`${file} has no table of options`)
  if (isWriting) writeFileSync(join(root, file), made)
  else if (made !== readme) problems.push(`${file} is not what the types say: npm run options`)
}
console.log(`options: ${tables} tables`)
report('options', problems)
