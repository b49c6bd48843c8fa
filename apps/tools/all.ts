import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// Runs every check of the repository that needs nothing but a build, also after one has failed.
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
  'changesets',
  'measured',
  'dialect',
  'words',
  'layout',
]
const failed = checks.filter(
  (name) => spawnSync('node', [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' }).status !== 0,
)
if (failed.length) console.error(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length ? 1 : 0
