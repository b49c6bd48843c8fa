import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from './files.ts'

/**
 * Lists what a user installs with a package, as JSON: the package, and the current versions of its
 * dependencies. Installs nothing; npm looks up the versions in its registry.
 */
export function billOfMaterials(manifest: Manifest, format: 'cyclonedx' | 'spdx', env = process.env): string {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-sbom-'))
  const folder = join(scratch, manifest.name.replace('@svc/', '')) // the bill contains the name of the directory
  mkdirSync(folder)
  const npm = (...args: string[]): string =>
    execFileSync('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 }).toString()
  try {
    const { devDependencies, ...installed } = manifest as Manifest & { devDependencies?: unknown }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...installed, scripts: {} }))
    npm('install', '--package-lock-only', '--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit')
    return npm(
      'sbom',
      '--package-lock-only',
      '--sbom-type=library',
      '--omit=dev',
      '--omit=peer',
      `--sbom-format=${format}`,
    )
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
