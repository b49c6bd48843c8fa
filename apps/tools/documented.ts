import ts from 'typescript'
import budgets from './budgets.json' with { type: 'json' }
import { publishedWorkspaces, report, type Workspace } from './files.ts'
import { publicApi } from './public-api.ts'

// Every exported name, and every property of exported options, says what it is where an editor shows it. What still
// says nothing is counted in budgets.json, a number that only falls; `--list` names it.
const isListing = process.argv.includes('--list')
const problems: string[] = []
for (const workspace of publishedWorkspaces()) {
  const { name } = workspace.manifest
  const silent = [...new Set(silentNames(workspace))]
  const allowed = (budgets as Record<string, { undocumented: number }>)[name]?.undocumented ?? 0
  if (silent.length > allowed || (isListing && silent.length)) problems.push(`${name}: ${silent.join(', ')}`)
  if (silent.length < allowed)
    console.log(`documented: ${name} has only ${silent.length} silent names: lower budgets.json`)
}
report('documented', problems)

function silentNames(workspace: Workspace): string[] {
  if (!workspace.manifest.exports?.['.']) return []
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const isSilent = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length === 0
  return entries.flatMap(({ symbols }) =>
    [...symbols].flatMap(([name, symbol]) => {
      const isOptions = name.endsWith('Options') && symbol.flags & ts.SymbolFlags.Interface
      const properties = isOptions ? checker.getDeclaredTypeOfSymbol(symbol).getProperties() : []
      const members = properties.filter((each) => isSilent(each) && each.getJsDocTags(checker).length === 0)
      return [...(isSilent(symbol) ? [name] : []), ...members.map((member) => `${name}.${member.name}`)]
    }),
  )
}
