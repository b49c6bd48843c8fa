import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listImports, resolveFrom, root, type Workspace } from './files.ts'

/**
 * Sources that a package is built from: its own, and those of `packages/internal` that these
 * import.
 */
export function listSources({ folder }: Workspace, tracked: readonly string[]): Set<string> {
  const sources = new Set<string>()
  const visit = (file: string): void => {
    if (sources.has(file)) return
    sources.add(file)
    if (!file.endsWith('.ts')) return
    for (const specifier of listImports(readFileSync(join(root, file), 'utf8')))
      if (specifier.startsWith('.') && specifier.endsWith('.ts')) visit(resolveFrom(file, specifier))
  }
  for (const file of tracked) if (isPublished(folder, file)) visit(file)
  return sources
}

/**
 * Whether a file of a package reaches its users: its README is theirs to read, but changes nothing
 * that runs.
 */
export function isPublished(folder: string, file: string): boolean {
  const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : ''
  return /^(bin|template)\//.test(name) || (name.startsWith('src/') && !/\.(test|bench)\.ts$/.test(name))
}

/** Returns the part of a manifest that its users depend on. */
export function readPromises(manifest: string): string {
  const { scripts, devDependencies, version, keywords, description, ...others } = JSON.parse(manifest) as Record<
    string,
    unknown
  >
  return JSON.stringify(others)
}
