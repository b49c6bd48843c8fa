import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'
import config from '../../apps/tools/tsup.config.ts'

// One copy of the code, with short names of variables: decision 131. Functions and classes keep
// their names and statements their lines, so that stack traces can be read. esbuild has made
// variables of classes, so terser is given their names.
const classes = globSync('src/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\bclass (\w+)/g)].map(([, name = '']) => name),
)

export default defineConfig({
  ...config,
  minify: 'terser',
  terserOptions: {
    ecma: 2020,
    compress: false, // its code parses 1 MB a third slower
    mangle: { keep_fnames: true, reserved: classes },
    format: { semicolons: false },
  },
})
