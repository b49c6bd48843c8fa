// Entries of change logs, for `changeset version`: what a user can now do, without hashes of
// commits, and one line for the updated dependencies. A dependency that was never released before
// is not an update.

interface Dependency {
  name: string
  oldVersion: string
  newVersion: string
}

export function getReleaseLine({ summary }: { summary: string }): string {
  return `- ${summary.replaceAll(/\n(?!\n)/g, '\n  ')}`
}

export function getDependencyReleaseLine(_changesets: unknown, dependencies: readonly Dependency[]): string {
  const updates = dependencies.filter(({ oldVersion }) => oldVersion !== '0.0.0')
  return updates.length ? `- Updated dependencies: ${updates.map(toLabel).join(', ')}.` : ''
}

function toLabel({ name, newVersion }: Dependency): string {
  return `${name} ${newVersion}`
}
