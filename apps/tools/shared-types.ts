import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// One set of types for both kinds of modules, in the built package in the working directory:
// decision 127. The types of an ES module export those of its CommonJS copy. An entry with a
// default export keeps its own, since the default of a CommonJS module is the whole module.
const entries = globSync('dist/**/*.d.ts').filter((file) => existsSync(file.replace(/\.d\.ts$/, '.js')))
for (const file of entries) {
  const name = file.slice(file.lastIndexOf('/') + 1, -'.d.ts'.length)
  const types = readFileSync(file, 'utf8')
  if (/^export /m.test(types) && !/\bas default\b|^export default\b/m.test(types))
    writeFileSync(file, `export * from './${name}.cjs';\n`)
}

const used = new Set<string>()
entries.forEach(addImports)
for (const file of globSync('dist/**/*.d.ts')) if (!used.has(file)) rmSync(file)

function addImports(file: string): void {
  if (used.has(file)) return
  used.add(file)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import) ?\(?['"](\.[^'"]+)\.js['"]/g))
    addImports(join(dirname(file), `${specifier}.d.ts`))
}
