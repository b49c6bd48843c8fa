import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { publishedWorkspaces, report, root } from './files.ts'
import { optionTables, sameDefault, type TableRow } from './option-tables.ts'
import { publicApi } from './public-api.ts'

// A table of options in a README is whole and right: where it lists most of an interface, the README names all of its
// options, and the defaults that the types name.
const problems: string[] = []
let compared = 0
for (const workspace of publishedWorkspaces()) {
  if (!workspace.folder.startsWith('packages/') || !workspace.manifest.exports?.['.']) continue
  const readme = readFileSync(join(root, workspace.folder, 'README.md'), 'utf8')
  const tables = optionTables(readme)
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const interfaces = new Map(entries.flatMap(({ symbols }) => [...symbols].filter(([name]) => /Options$/.test(name))))
  for (const [name, symbol] of interfaces) {
    const options = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
    const rows = tables.find((table) => {
      const common = options.filter((option) => rowOf(option, table)).length
      return common >= 3 && common * 3 >= options.length * 2
    })
    if (!rows) continue
    for (const option of options) compare(`${workspace.folder}: ${name}.${option.name}`, option, rows, readme)
  }
}
console.log(`options: ${compared} compared`)
report('options', problems)

function compare(title: string, option: ts.Symbol, rows: TableRow[], readme: string): void {
  compared++
  const row = rowOf(option, rows)
  const documented = defaultOf(option)
  if (!row && !new RegExp(`\`[^\`]*\\b${option.name}\\b`).test(readme)) problems.push(`${title} is not in the README`)
  if (row?.fallback !== undefined && documented !== undefined && !sameDefault(row.fallback, documented))
    problems.push(`${title} defaults to ${documented}, and the README says ${row.fallback}`)
}

function rowOf({ name }: ts.Symbol, rows: readonly TableRow[]): TableRow | undefined {
  return rows.find((row) => row.name === name)
}

function defaultOf(property: ts.Symbol): string | undefined {
  const tag = property.getJsDocTags().find(({ name }) => name === 'defaultValue')
  return tag && ts.displayPartsToString(tag.text)
}
