import { isLibrary, isReleased, type Manifest, publishedWorkspaces, report } from './files.ts'
import { findSize, readChangesets } from './pending.ts'
import { refusedRanges } from './refused-ranges.ts'
import { fileAt, findVersion } from './revisions.ts'

// A version of a peer, a dependency or Node that the last release took must not be refused by the
// next one, unless its number says so: a consumer who pinned it would find out at installation. The
// last release is the commit of the version, and the next number follows from the changesets.
const problems: string[] = []
const changesets = readChangesets()
for (const workspace of publishedWorkspaces()) {
  const { folder, manifest } = workspace
  const file = `${folder}/package.json`
  const commit = isReleased(manifest.version) && findVersion(file, manifest.version)
  const released = commit && fileAt(commit, file)
  if (!released) console.log(`ranges: ${manifest.name} has no release to compare with`)
  else {
    const kind = isLibrary(workspace) ? 'library' : 'application'
    const size = findSize(manifest.name, changesets)
    problems.push(...refusedRanges(JSON.parse(released) as Manifest, manifest, kind, size))
  }
}
report('ranges', problems)
