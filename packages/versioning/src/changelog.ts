import type { Catalogue } from './catalogue.ts'
import type { VersionChange } from './changes.ts'
import type { VersionLifecycle } from './options.ts'

/** What the changelog is made from. */
export interface ChangelogParts {
  catalogue: Catalogue
  deprecated: Readonly<Record<string, VersionLifecycle | undefined>>
  changesOf(version: string): readonly VersionChange[]
}

/** Writes the changes of an API as Markdown, the newest version first, with what is deprecated or gone. */
export function writeChangelog({ catalogue, deprecated, changesOf }: ChangelogParts): string {
  const sections = catalogue.known.toReversed().map(({ name, retired }) => {
    const state = retired ? 'not served any more' : stateOf(deprecated[name])
    const heading = `## ${name}${state && ` (${state})`}`
    const lines = changesOf(name).map(lineOf)
    const isFirst = name === catalogue.supported[0]?.name
    const text =
      lines.length > 0 ? lines.join('\n') : isFirst ? 'The oldest version that is served.' : 'No breaking change.'
    return retired ? heading : `${heading}\n\n${text}`
  })
  return `# Changes of the API\n\n${sections.join('\n\n')}\n`
}

function stateOf(lifecycle: VersionLifecycle | undefined): string {
  const words: string[] = []
  if (lifecycle?.since) words.push(`deprecated ${dayOf(lifecycle.since)}`)
  if (lifecycle?.sunset) words.push(`sunset ${dayOf(lifecycle.sunset)}`)
  return words.join(', ')
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function lineOf({ description, resource, paths = [] }: VersionChange): string {
  const where = [...(resource === undefined ? [] : [resource]), ...paths].map((name) => `\`${name}\``).join(', ')
  return `- ${description.replaceAll(/\s+/g, ' ').trim()}${where && ` (${where})`}`
}
