import { type Manifest, publishedWorkspaces, report } from './files.ts'
import { findSize, readChangesets } from './pending.ts'
import { refusedRanges } from './refused-ranges.ts'
import { fileAt, newestTag } from './revisions.ts'

// A version of a peer, a dependency or Node that the last release took must not be refused by the
// next one, unless its number says so: a consumer who pinned it would find out at installation. The
// last release is read from its git tag, and the next number follows from the changesets.
const problems: string[] = []
const changesets = readChangesets()
for (const { folder, manifest } of publishedWorkspaces()) {
  const tag = newestTag(`${manifest.name}@`)
  const released = tag && fileAt(tag, `${folder}/package.json`)
  if (!released) console.log(`ranges: ${manifest.name} has no release to compare with`)
  else {
    const kind = folder.startsWith('packages/') && manifest.exports?.['.'] ? 'library' : 'application'
    const size = findSize(manifest.name, changesets)
    problems.push(...refusedRanges(JSON.parse(released) as Manifest, manifest, kind, size))
  }
}
report('ranges', problems)
