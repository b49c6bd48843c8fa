import { readFileSync } from 'node:fs'
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

export default defineConfig({
  entry,
  format: ['esm', 'cjs'],
  target: 'node20',
  dts: true,
  clean: true,
  // The output keeps its names and lines, so a debugger shows readable code: decision 056.
  sourcemap: false,
  splitting: true,
  // Rollup writes the CommonJS chunks. Without it tsup uses sucrase, which compiles `?.` and `??`
  // to function calls and breaks field initializers of derived classes that esbuild has shortened.
  treeshake: true,
  esbuildOptions(options, { format }) {
    options.minifySyntax = true
    // CommonJS is the second copy of the same code, for tools that cannot load ES modules.
    options.minifyWhitespace = format === 'cjs'
  },
  removeNodeProtocol: false,
})
