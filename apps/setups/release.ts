import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publishedWorkspaces, root, trackedFiles } from '../tools/files.ts'
import type { Registry } from './registry.ts'

export interface Release {
  folder: string
  /** Version by package name, as the last release made them. */
  versions: Record<string, string>
  remove(): void
}

/**
 * A copy of the repository, built as it is here, in which releases are made: `changeset version`
 * rewrites manifests.
 */
export function prepareRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
  for (const file of trackedFiles(/./)) cpSync(join(root, file), join(folder, file))
  for (const { folder: workspace } of publishedWorkspaces()) {
    const dist = join(workspace, 'dist')
    if (!existsSync(join(root, dist))) throw new Error(`${dist} is missing: npm run build`)
    cpSync(join(root, dist), join(folder, dist), { recursive: true })
  }
  for (const { folder: workspace } of publishedWorkspaces()) withoutProvenance(join(folder, workspace, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init', '-b', 'main')
  git('config', 'user.name', 'release')
  git('config', 'user.email', 'release@localhost')
  git('add', '.')
  git('commit', '-m', 'Copy')
  return { folder, versions: {}, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

// Provenance can only be made by the release workflow, with its identity.
function withoutProvenance(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace('"provenance": true', '"provenance": false'))
}

/**
 * Versions, packs and publishes what the changesets of the copy say, as the release workflow does
 * on a branch.
 */
export function release({ folder, remove }: Release, { env }: Registry, branch = 'main'): Release {
  // Without changesets, and outside of prereleases, the manifests have the versions to publish.
  if (readdirSync(join(folder, '.changeset')).some((file) => /^(?!README).*\.md$|^pre\.json$/.test(file))) {
    changeset(folder, ['version'], env)
    execFileSync(process.execPath, [join(folder, 'apps/tools/versions.ts'), '--write'])
    execFileSync('git', ['commit', '-qam', 'Version'], { cwd: folder })
  }
  const packed = mkdtempSync(join(tmpdir(), 'svc-packed-'))
  changeset(folder, ['pack', '--out-dir', packed], env)
  execFileSync(process.execPath, [join(root, 'apps/tools/dist-tag.ts'), packed, branch])
  changeset(folder, ['publish', '--from-pack-dir', packed], env)
  rmSync(packed, { recursive: true })
  const manifests = publishedWorkspaces().map(({ folder: workspace }) => join(folder, workspace, 'package.json'))
  const read = manifests.map((file) => JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string })
  return { folder, remove, versions: Object.fromEntries(read.map(({ name, version }) => [name, version])) }
}

/** Opens or closes the line of prereleases. */
export function prerelease({ folder }: Release, ...words: ['enter', string] | ['exit']): void {
  changeset(folder, ['pre', ...words])
}

function changeset(cwd: string, args: string[], env = process.env): void {
  execFileSync(process.execPath, [join(root, 'node_modules/.bin/changeset'), ...args], { cwd, env, stdio: 'pipe' })
}

/** Adds a changeset to the copy. */
export function addChangeset({ folder }: Release, name: string, size: 'patch' | 'minor' | 'major', text: string): void {
  const file = join(folder, '.changeset', `${name.replace('@svc/', '')}-${size}.md`)
  if (!existsSync(dirname(file))) throw new Error(`no changesets in ${folder}`)
  writeFileSync(file, `---\n"${name}": ${size}\n---\n\n${text}\n`)
}
