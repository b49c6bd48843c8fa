import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLibrary, listDocuments, publishedWorkspaces, readText, report, root } from './files.ts'
import { optionTable } from './option-table.ts'
import { publicApi } from './public-api.ts'

// The option tables in README.md and docs/*.md of each package are generated from the types. A line
// `<!-- options: RateLimitOptions -->` names the interface of the table below it. `--write` writes
// the tables; without it they must be up to date.
const MARKED = /^<!-- options: (\w+) -->\n(?:\|.*\n)*/gm

const isWriting = process.argv[2] === '--write'
const problems: string[] = []
let tables = 0
for (const workspace of publishedWorkspaces()) {
  if (!isLibrary(workspace)) continue
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const symbols = new Map(entries.flatMap(({ symbols }) => [...symbols]))
  const tablesBefore = tables
  for (const name of listDocuments(workspace.folder)) {
    const file = `${workspace.folder}/${name}`
    const text = readText(file)
    const updated = text.replace(MARKED, (_all, type: string) => {
      const symbol = symbols.get(type)
      tables++
      if (!symbol) problems.push(`${file} has a table of ${type}, which is not exported`)
      return `<!-- options: ${type} -->\n${symbol ? optionTable(symbol, checker).join('\n') : ''}\n`
    })
    if (isWriting) writeFileSync(join(root, file), updated)
    else if (updated !== text) problems.push(`${file} does not match the types: npm run options`)
  }
  if (tables === tablesBefore) problems.push(`${workspace.folder} has no option table in README.md or docs/*.md`)
}
console.log(`options: ${tables} tables`)
report('options', problems)
