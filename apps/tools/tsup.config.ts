import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

// Entries follow from `exports` of the package that is built: a new subpath needs no second list.
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | Record<string, unknown>>
}
const entry: Record<string, string> = {}
for (const target of Object.values(exports)) {
  if (typeof target === 'string') continue
  const source = String(target['@svc/source'])
  entry[source.replace('./src/', '').replace(/\.ts$/, '')] = source
}

// Drop-ins have a default export, and their peers are functions or classes that `require` returns.
const callable = {
  name: 'callable-drop-ins',
  buildEnd({ writtenFiles }: { writtenFiles: readonly { name: string }[] }): void {
    for (const { name } of writtenFiles) {
      if (!name.endsWith('.cjs')) continue
      const code = readFileSync(name, 'utf8')
      if (!/\bexports\.default = /.test(code)) continue
      writeFileSync(name, `${code}\nmodule.exports = Object.assign(module.exports.default, module.exports);\n`)
    }
  },
}

export default defineConfig({
  entry,
  plugins: [callable],
  format: ['esm', 'cjs'],
  target: 'node20',
  dts: true,
  clean: true,
  // The output is not minified, so a debugger shows readable code: decision 056.
  sourcemap: false,
  splitting: true,
  // Shorter statements, with all names and lines: 3 % of each package.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
  removeNodeProtocol: false,
})
