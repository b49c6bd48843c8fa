import ts from 'typescript'
import type { Workspace } from './files.ts'
import { type PublicApi, publicApi, resolved } from './public-api.ts'

/**
 * All that the published types of a package say, in an order that only a change of theirs changes.
 */
export function apiReport(workspace: Workspace): string {
  const { checker, entries } = publicApi(workspace, 'types')
  const shown = new Set<ts.Symbol>()
  const behind = new Set<ts.Symbol>()
  const sections = entries.map(({ specifier, symbols }) => {
    const declarations = [...symbols].map(([name, symbol]) => {
      shown.add(symbol)
      return formatDeclaration(name, symbol)
    })
    return section(specifier, declarations)
  })
  for (const symbol of shown) collectNamed(symbol, { checker, entries }, behind)
  const hidden = [...behind]
    .filter((symbol) => !shown.has(symbol))
    .map((symbol) => formatDeclaration(symbol.name, symbol))
  if (hidden.length) sections.push(section('Named above, and not exported', hidden.sort()))
  return [`# ${workspace.manifest.name}`, ...sections].join('\n\n').concat('\n')
}

/**
 * Whether a report only says more than an older one, or takes something back or changes it.
 * Comments say nothing.
 */
export function compareReports(before: string, after: string): 'same' | 'grew' | 'shrank' {
  const left = lineCounts(after)
  for (const [line, count] of lineCounts(before)) {
    const others = left.get(line) ?? 0
    if (others < count) return 'shrank'
    if (others === count) left.delete(line)
  }
  return left.size === 0 ? 'same' : 'grew'
}

function section(title: string, declarations: readonly string[]): string {
  return [`## ${title}`, '', '```ts', ...declarations, '```'].join('\n')
}

function formatDeclaration(name: string, symbol: ts.Symbol): string {
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    const source = node.getSourceFile()
    const text = source.text.slice(node.getStart(source, true), node.end)
    return text.replace(/(import\("\.\/[^"]*?)-[\w-]{8}\.js"/g, '$1.js"') // the hash of a shared file says nothing
  })
  return [...(name === symbol.name ? [] : [`// exported as ${name}`]), ...texts].join('\n')
}

// Types that a user meets without being able to import them are part of what is promised.
function collectNamed(symbol: ts.Symbol, { checker }: PublicApi, symbols: Set<ts.Symbol>): void {
  const visit = (node: ts.Node): void => {
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    const target = named && resolved(named, checker)
    if (target && target !== symbol && isOwn(target) && !symbols.has(target)) {
      symbols.add(target)
      collectNamed(target, { checker, entries: [] }, symbols)
    }
    ts.forEachChild(node, visit)
  }
  for (const declaration of symbol.declarations ?? []) visit(declaration)
}

function isOwn({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (node) =>
      node.getSourceFile().fileName.includes('/dist/') &&
      isTopLevel(node) &&
      !node.getSourceFile().fileName.includes('node_modules'),
  )
}

function isTopLevel(node: ts.Node): boolean {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent
  return ts.isSourceFile(holder)
}

function lineCounts(report: string): Map<string, number> {
  const code = report.replace(/\/\*\*[\s\S]*?\*\//g, '').split('\n')
  const counts = new Map<string, number>()
  for (const line of code) {
    const text = line.trim()
    if (text) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}
