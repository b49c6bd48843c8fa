import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

// An entry that has the name of a peer takes the imports of that peer: `import compression from`
// and `require('…/compression')()`. For each entry of the built package in the working directory
// with a default export, the CommonJS file exports the default itself, with the named exports as
// properties, and its types say so.
const entries = readdirSync('dist')
  .filter((file) => /^[^.]+\.d\.cts$/.test(file))
  .filter((file) => /^export \{[^}]*\bas default\b/m.test(readFileSync(`dist/${file}`, 'utf8')))
  .map((file) => file.slice(0, -'.d.cts'.length))

for (const name of entries) {
  const types = createCommonJsTypes(name)
  appendFileSync(`dist/${name}.cjs`, 'module.exports = Object.assign(module.exports.default, module.exports);\n')
  renameSync(`dist/${name}.d.cts`, `dist/${name}.exports.d.cts`)
  writeFileSync(`dist/${name}.d.cts`, types)
}

/**
 * The default export with the named exports as properties, merged with a namespace of the types.
 */
function createCommonJsTypes(name: string): string {
  const file = `dist/${name}.d.cts`
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, types: [] })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is not a module`)
  const types = new Map(
    checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, resolveAlias(symbol, checker)] as const)
      .filter(([, { flags }]) => flags & ts.SymbolFlags.Type),
  )
  const hasInstances = types.delete('default')
  const members = Array.from(types, ([typeName, symbol]) => `  export type ${formatType(typeName, symbol)};\n`)
  // The defaults of type parameters name types of Node.js.
  const imports = source.text.match(/^import .* from 'node:.*;\n/gm) ?? []
  return `import type * as all from './${name}.exports.cjs';
${imports.join('')}declare const entry: typeof all.default & typeof all;
${hasInstances ? 'type entry = all.default;\n' : ''}declare namespace entry {
${members.join('')}}
export = entry;
`
}

function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function formatType(name: string, { declarations = [] }: ts.Symbol): string {
  const parameters = declarations
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    .flatMap(({ typeParameters = [] }) => typeParameters)
  if (parameters.length === 0) return `${name} = all.${name}`
  const declared = parameters.map((parameter) => parameter.getText()).join(', ')
  return `${name}<${declared}> = all.${name}<${parameters.map((parameter) => parameter.name.text).join(', ')}>`
}
