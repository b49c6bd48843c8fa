import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// Runs every check of the repository that needs nothing but a build, also after one has failed: as
// many at a time as there are processors.
const checks = [
  'boundaries',
  'circles',
  'lockfile',
  'manifests',
  'workflows',
  'codes',
  'rules',
  'clients',
  'dist',
  'drop-ins',
  'api',
  'beginnings',
  'documented',
  'options',
  'size',
  'ranges',
  'versions',
  'changesets',
  'measured',
  'dialect',
  'words',
  'layout',
]
const failed: string[] = []
const waiting = checks.values()
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
if (failed.length) console.error(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length ? 1 : 0

async function runWaiting(): Promise<void> {
  for (const name of waiting) {
    const check = spawn('node', [join(import.meta.dirname, `${name}.ts`)])
    // Lines of one check stay together.
    let output = ''
    for (const stream of [check.stdout, check.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const [code] = await once(check, 'close')
    process.stdout.write(output)
    if (code !== 0) failed.push(name)
  }
}
