import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create, type Ranges } from './create.ts'

const usage = 'Usage: npm create @svc <directory>\n'
const [target, ...others] = process.argv.slice(2)

if (target === '--help' || target === '-h') process.stdout.write(usage)
else if (target === undefined || target.startsWith('-') || others.length) fail(usage)
else start(target)

function start(name: string): void {
  try {
    const cwd = process.cwd()
    const directory = create({
      target: name,
      cwd,
      template: fileURLToPath(new URL('../template', import.meta.url)),
      ranges: readRanges(),
    })
    const path = relative(cwd, directory)
    process.stdout.write(
      `Created a service in ${directory}\n\n${path ? `  cd ${path}\n` : ''}  npm install\n  npm test\n  npm start\n`,
    )
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}

// The dependencies of this package are those of a new service. A release of one of them outside of
// its range releases this package too.
function readRanges(): Ranges {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { dependencies: Ranges }).dependencies
}

function fail(message: string): void {
  process.stderr.write(message)
  process.exitCode = 1
}
