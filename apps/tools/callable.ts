import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

// An entry that has the name of a peer takes the imports of that peer: `import compression from` and
// `require('…/compression')()`. For each entry of the built package in the working directory with a default export, the
// CommonJS file exports the default itself, with the named exports as properties, and its types say so.
for (const file of readdirSync('dist').filter((name) => /^[^.]+\.d\.cts$/.test(name))) {
  const name = file.slice(0, -'.d.cts'.length)
  const types = readFileSync(`dist/${file}`, 'utf8')
  const names = exportedNames(types)
  if (!names.includes('default')) continue
  appendFileSync(`dist/${name}.cjs`, 'module.exports = Object.assign(module.exports.default, module.exports);\n')
  renameSync(`dist/${file}`, `dist/${name}.exports.d.cts`)
  const typeNames = names.filter((each) => isType(each, types))
  writeFileSync(`dist/${file}`, commonJsTypes(name, typeNames))
}

/** Names of `export { a, b as c }`, `export type { d }` and `export { e } from './chunk.cjs'`. */
function exportedNames(types: string): string[] {
  const lists = [...types.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = '']) => list)
  return lists.flatMap((list) => list.split(',').map((specifier) => specifier.trim().split(/\s+/).at(-1) ?? ''))
}

function isType(name: string, types: string): boolean {
  if (new RegExp(`(?:interface|type) ${name}<`).test(types)) throw new Error(`${name} is generic: not supported here`)
  if (new RegExp(`(?:interface|type|class) ${name}\\b`).test(types)) return true
  return /^[A-Z]/.test(name) && !new RegExp(`declare (?:const|function) ${name}\\b`).test(types)
}

/** The default export with the named exports as properties, merged with a namespace of the types. */
function commonJsTypes(name: string, typeNames: readonly string[]): string {
  const types = typeNames.map((each) => `  export type ${each} = all.${each};\n`)
  return `import type * as all from './${name}.exports.cjs';
declare const entry: typeof all.default & typeof all;
declare namespace entry {
${types.join('')}}
export = entry;
`
}
