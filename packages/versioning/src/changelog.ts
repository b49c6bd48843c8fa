import type { ApiVersions } from './api-versions.ts'
import type { VersionChange } from './changes.ts'
import type { VersionLifecycle } from './options.ts'

/** Input of the changelog. */
export interface ChangelogParts {
  apiVersions: ApiVersions
  deprecated: Readonly<Record<string, VersionLifecycle | undefined>>
  getChanges(version: string): readonly VersionChange[]
}

/**
 * Formats the changes of an API as Markdown, the newest version first, with deprecated and retired
 * versions.
 */
export function formatChangelog({ apiVersions, deprecated, getChanges }: ChangelogParts): string {
  const sections = apiVersions.all.toReversed().map(({ name, retired }) => {
    const state = retired ? 'no longer supported' : formatState(deprecated[name])
    const heading = `## ${name}${state && ` (${state})`}`
    const lines = getChanges(name).map(formatChange)
    const isFirst = name === apiVersions.supported[0]?.name
    const text =
      lines.length > 0 ? lines.join('\n') : isFirst ? 'The oldest supported version.' : 'No breaking changes.'
    return retired ? heading : `${heading}\n\n${text}`
  })
  return `# Changes of the API\n\n${sections.join('\n\n')}\n`
}

function formatState(lifecycle: VersionLifecycle | undefined): string {
  const states: string[] = []
  if (lifecycle?.since !== undefined) states.push(`deprecated ${formatDay(lifecycle.since)}`)
  if (lifecycle?.sunset !== undefined) states.push(`sunset ${formatDay(lifecycle.sunset)}`)
  return states.join(', ')
}

function formatDay(time: Date | number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function formatChange({ description, resource, paths = [] }: VersionChange): string {
  const target = [...(resource === undefined ? [] : [resource]), ...paths].map((name) => `\`${name}\``).join(', ')
  return `- ${description.replaceAll(/\s+/g, ' ').trim()}${target && ` (${target})`}`
}
