import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs'

// Replaces the CommonJS copy of the built package in the working directory by entries that require
// its ES modules: decision 131. Its types stay.
for (const file of globSync('dist/*.cjs')) {
  const path = file.slice(0, -'.cjs'.length)
  if (existsSync(`${path}.d.cts`))
    writeFileSync(file, `module.exports = require('./${path.slice('dist/'.length)}.js')\n`)
  else rmSync(file)
}
