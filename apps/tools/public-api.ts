import { join } from 'node:path'
import ts from 'typescript'
import { root, type Workspace } from './files.ts'

/** One way into a package, as its users import it. */
export interface Entry {
  /** `@svc/ratelimit/stores/redis`. */
  specifier: string
  /** By exported name; what is re-exported is followed to where it is declared. */
  symbols: ReadonlyMap<string, ts.Symbol>
}

export interface PublicApi {
  checker: ts.TypeChecker
  entries: Entry[]
}

/**
 * Returns the exports of a package: of its sources (`@svc/source`), or of the published types
 * (`types`).
 */
export function publicApi({ folder, manifest }: Workspace, condition: '@svc/source' | 'types'): PublicApi {
  const files = Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const file = findTarget(target, condition)
    return file && !/\.(json|css)$|^\.\/(src|dist)\/cli\./.test(file)
      ? [{ specifier: manifest.name + subpath.slice(1), file: join(root, folder, file) }]
      : []
  })
  const program = ts.createProgram(
    files.map(({ file }) => file),
    readOptions(folder),
  )
  const checker = program.getTypeChecker()
  const entries = files.map(({ specifier, file }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} is not a module: npm run build`)
    const symbols = checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, resolved(symbol, checker)] as const)
    return { specifier, symbols: new Map(symbols.sort(([a], [b]) => (a < b ? -1 : 1))) }
  })
  return { checker, entries }
}

/** Returns the declaration that a name refers to. */
export function resolved(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function findTarget(target: unknown, condition: string): string | undefined {
  if (typeof target !== 'object' || target === null) return undefined
  const { [condition]: direct, import: imported } = target as Record<string, unknown>
  return typeof direct === 'string' ? direct : condition === 'types' ? findTarget(imported, condition) : undefined
}

function readOptions(folder: string): ts.CompilerOptions {
  const file = join(root, folder, 'tsconfig.json')
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, join(root, folder)).options
}
