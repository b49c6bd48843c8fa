import { cpSync } from 'node:fs'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/app.ts', 'src/server.ts'],
  format: ['esm'],
  target: 'node22',
  dts: { entry: ['src/app.ts'] },
  clean: true,
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  // Files that are read at run time stand beside the code that reads them.
  onSuccess: async () => cpSync('src/pages/assets', 'dist/assets', { recursive: true }),
})
