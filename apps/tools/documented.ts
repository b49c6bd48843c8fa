import ts from 'typescript'
import { publishedWorkspaces, report, type Workspace } from './files.ts'
import { publicApi } from './public-api.ts'

// Every exported name, and every member of an exported interface or class, says what it is where an
// editor shows it. What a union's members are, its own sentence says.
const problems = publishedWorkspaces().flatMap((workspace) =>
  [...new Set(silentNames(workspace))].map((name) => `${workspace.manifest.name}: ${name} has no doc comment`),
)
report('documented', problems)

function silentNames(workspace: Workspace): string[] {
  if (!workspace.manifest.exports?.['.']) return []
  const { checker, entries } = publicApi(workspace, '@svc/source')
  const isSilent = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length === 0
  return entries.flatMap(({ symbols }) =>
    [...symbols].flatMap(([name, symbol]) => {
      const members = listMembers(symbol, checker).filter(
        (each) => isSilent(each) && each.getJsDocTags(checker).length === 0,
      )
      return [...(isSilent(symbol) ? [name] : []), ...members.map((member) => `${name}.${member.name}`)]
    }),
  )
}

function listMembers(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  if (!(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias))) return []
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  return type.isUnion() ? [] : type.getProperties().filter(isOwn)
}

// Properties of Node or of the standard library are documented there. Private ones need no docs.
function isOwn({ declarations = [] }: ts.Symbol): boolean {
  const [declaration] = declarations
  if (!declaration || declaration.getSourceFile().fileName.includes('node_modules')) return false
  const name = ts.getNameOfDeclaration(declaration)
  return name !== undefined && !ts.isPrivateIdentifier(name)
}
