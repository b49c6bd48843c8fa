import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create } from './create.ts'
import type { Ranges } from './service-manifest.ts'

const usage = 'Usage: npm create @svc <directory>\n'
const [target, ...others] = process.argv.slice(2)

if (target === '--help' || target === '-h') process.stdout.write(usage)
else if (target === undefined || target.startsWith('-') || others.length) fail(usage)
else start(target)

function start(name: string): void {
  try {
    const cwd = process.cwd()
    const folder = create({
      target: name,
      cwd,
      template: fileURLToPath(new URL('../template', import.meta.url)),
      ranges: testedRanges(),
    })
    const go = relative(cwd, folder)
    process.stdout.write(
      `Created a service in ${folder}\n\n${go ? `  cd ${go}\n` : ''}  npm install\n  npm test\n  npm start\n`,
    )
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}

// The template is tested with these versions: they are the development dependencies of this
// package.
function testedRanges(): Ranges {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { devDependencies: Ranges }).devDependencies
}

function fail(message: string): void {
  process.stderr.write(message)
  process.exitCode = 1
}
