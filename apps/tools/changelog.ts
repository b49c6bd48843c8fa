import { isReleased } from './files.ts'

// Entries of change logs, for `changeset version`: what a user can now do, without hashes of
// commits, and one line for the updated dependencies. An entry of one paragraph is a list item. A
// longer one stays as it is, with its headings below those of the change log. A dependency that was
// never released before is not an update.

interface Dependency {
  name: string
  oldVersion: string
  newVersion: string
}

// In a block of code a line that starts with `#` is a comment.
const FENCE_OR_HEADING = /^```[^]*?^```|^#+(?= )/gm

export function getReleaseLine({ summary }: { summary: string }): string {
  if (summary.includes('\n\n'))
    return summary.replaceAll(FENCE_OR_HEADING, (text) => (text.startsWith('#') ? '####' : text))
  return `- ${summary.replaceAll('\n', '\n  ')}`
}

export function getDependencyReleaseLine(_changesets: unknown, dependencies: readonly Dependency[]): string {
  const updates = dependencies.filter(({ oldVersion }) => isReleased(oldVersion))
  return updates.length ? `- Updated dependencies: ${updates.map(toLabel).join(', ')}.` : ''
}

function toLabel({ name, newVersion }: Dependency): string {
  return `${name} ${newVersion}`
}
