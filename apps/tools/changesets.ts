import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareReports } from './api-report.ts'
import { isReleased, type Manifest, publishedWorkspaces, report, root, trackedFiles, type Workspace } from './files.ts'
import { findSize, isAtLeast, missingHeadings, neededSize, readChangesets } from './pending.ts'
import { isPublished, listSources, readPromises } from './published-files.ts'
import { changedSince, fileAt, findBase, findVersion } from './revisions.ts'

// `changesets.ts [revision]`: what changed since then for the users of a package has a changeset,
// of the size that the reports in apps/docs/api ask for. A package that was never released is
// released by any changeset that names it. A new version has consumed the changesets that were
// there, so changes count from it on. Without a revision, here or in CHANGESETS_BASE, the main
// branch is compared with.
const named = process.argv[2] || process.env['CHANGESETS_BASE']
const base = named ? findBase(named) : (findBase('origin/main') ?? findBase('main'))
const tracked = trackedFiles(/./)
const changesets = readChangesets()

const problems = changesets.flatMap((changeset) =>
  missingHeadings(changeset).map((heading) => `${changeset.file} is major and has no heading "${heading}"`),
)
if (named && !base) problems.push(`there is no revision ${named}`)
if (base) {
  for (const workspace of publishedWorkspaces()) {
    const revision = findStart(workspace, base)
    if (revision) problems.push(...toProblems(workspace, revision))
  }
} else console.log('changesets: no revision to compare with, only headings are checked')
report('changesets', problems)

/**
 * The revision from which on changes of a package need a changeset; `undefined` if its version is
 * not committed yet.
 */
function findStart({ folder, manifest: { version } }: Workspace, revision: string): string | undefined {
  const file = `${folder}/package.json`
  if (!fileAt(revision, file) || readVersion(revision, file) === version) return revision
  return findVersion(file, version)
}

function readVersion(revision: string, file: string): string | undefined {
  const text = fileAt(revision, file)
  return text && (JSON.parse(text) as Manifest).version
}

function toProblems(workspace: Workspace, revision: string): string[] {
  const { folder, manifest } = workspace
  const changed = new Set(changedSince(revision))
  const isFirst = !isReleased(manifest.version)
  const relevant = changesets.filter(
    ({ file, sizes }) => sizes.has(manifest.name) && (isFirst || changed.has(file) || !fileAt(revision, file)),
  )
  const size = findSize(manifest.name, relevant)
  const sources = listSources(workspace, tracked)
  const file =
    [...changed].find((name) => sources.has(name) || isPublished(folder, name)) ?? changedManifest(folder, revision)
  if (!file) return []
  if (!size) return [`${file} changed, and no changeset names ${manifest.name}: npx changeset`]
  const needed = isFirst ? 'patch' : neededSize(classifyChange(manifest.name, revision), manifest.version, relevant)
  return isAtLeast(size, needed)
    ? []
    : [`${manifest.name} needs a ${needed} changeset for its types, codes or fields, not ${size}`]
}

function changedManifest(folder: string, revision: string): string | undefined {
  const file = `${folder}/package.json`
  const before = fileAt(revision, file)
  return before && readPromises(before) !== readPromises(readFileSync(join(root, file), 'utf8')) ? file : undefined
}

function classifyChange(name: string, revision: string): 'same' | 'grew' | 'shrank' {
  const short = name.replace('@svc/', '')
  const selectLines = (text: string | undefined, isOwn: (line: string) => boolean): string =>
    (text ?? '').split('\n').filter(isOwn).join('\n')
  const changes = [
    { file: `apps/docs/api/${short}.md`, isOwn: () => true },
    ...['codes', 'fields'].map((name) => ({
      file: `apps/docs/api/${name}.txt`,
      isOwn: (line: string) => line.startsWith(`${short} `),
    })),
  ].map(({ file, isOwn }) => {
    const now = tracked.includes(file) ? readFileSync(join(root, file), 'utf8') : ''
    return compareReports(selectLines(fileAt(revision, file), isOwn), selectLines(now, isOwn))
  })
  return changes.includes('shrank') ? 'shrank' : changes.includes('grew') ? 'grew' : 'same'
}
