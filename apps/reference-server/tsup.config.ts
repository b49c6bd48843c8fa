import { cpSync, readdirSync } from 'node:fs'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node22',
  clean: true,
  sourcemap: true,
  splitting: true,
  // As a module it loads messages in 48 languages, which take 6 MiB. It stays a dependency, for
  // audits and licenses.
  noExternal: ['zod'],
  removeNodeProtocol: false,
  onSuccess: () => Promise.resolve(copyFiles()),
})

// Files that are read at run time are next to the code that reads them.
function copyFiles(): void {
  for (const assets of ['src/formats/pages/assets', '../playground/src/assets'])
    cpSync(assets, 'dist/assets', { recursive: true })
  for (const file of readdirSync('src/domain/soap'))
    if (/\.(?:wsdl|xsd)$/.test(file)) cpSync(`src/domain/soap/${file}`, `dist/${file}`)
}
