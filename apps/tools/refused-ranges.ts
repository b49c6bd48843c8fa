import { inc, major, minor, subset } from 'semver'
import type { Manifest } from './files.ts'
import type { Size } from './pending.ts'

/**
 * Returns the ranges that a manifest no longer accepts, although its version and the size of its
 * pending changesets promise a compatible upgrade. The ranges of dependencies count for a library
 * because its users see their types. Those of an application do not.
 */
export function refusedRanges(
  before: Manifest,
  after: Manifest,
  kind: 'library' | 'application',
  size: Size = 'patch',
): string[] {
  if (isBreaking(before.version, inc(after.version, size) ?? after.version)) return []
  const accepted = listRanges(before, kind)
  return [...listRanges(after, kind)].flatMap(([name, range]) => {
    const old = accepted.get(name)
    if (old === undefined || subset(old, range)) return []
    return [`${after.name}@${after.version} wants ${name} ${range}, and ${before.version} took ${old}`]
  })
}

function isBreaking(before: string, after: string): boolean {
  return major(before) !== major(after) || (major(after) === 0 && minor(before) !== minor(after))
}

function listRanges(manifest: Manifest, kind: 'library' | 'application'): Map<string, string> {
  const { engines, peerDependencies, dependencies } = manifest
  return new Map(Object.entries({ ...(kind === 'library' && dependencies), ...engines, ...peerDependencies }))
}
