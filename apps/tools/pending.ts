import { readText, trackedFiles } from './files.ts'

export type Size = 'patch' | 'minor' | 'major'

/** A changeset: which packages it releases, how, and what it says of it. */
export interface Changeset {
  file: string
  sizes: ReadonlyMap<string, Size>
  text: string
}

/** Reads the changesets of the repository. */
export function readChangesets(): Changeset[] {
  const files = trackedFiles(/^\.changeset\/(?!README)[^/]+\.md$/)
  return files.flatMap((file) => readChangeset(file, readText(file)) ?? [])
}

/** Reads a changeset; `undefined` for a file that is none. */
export function readChangeset(file: string, content: string): Changeset | undefined {
  const [, head, text = ''] = /^---\n([\s\S]*?)^---\n([\s\S]*)$/m.exec(content) ?? []
  if (head === undefined) return undefined
  const lines = [...head.matchAll(/^["']?([^"':\s]+)["']?:\s*(patch|minor|major)\s*$/gm)]
  const sizes = new Map(lines.map(([, name = '', size]) => [name, size as Size]))
  return { file, sizes, text: text.trim() }
}

/** The largest size that changesets give a package; `undefined` where none names it. */
export function findSize(name: string, changesets: readonly Changeset[]): Size | undefined {
  const sizes = changesets.flatMap((changeset) => changeset.sizes.get(name) ?? [])
  return order.findLast((size) => sizes.includes(size))
}

/**
 * Returns the size that a change of the public API requires. Below 1.0.0 a minor may be breaking. A
 * changed line counts as removed, unless a changeset explains in a line "Compatible: ..." why all
 * code that compiled still does.
 */
export function neededSize(
  change: 'same' | 'grew' | 'shrank',
  version: string,
  changesets: readonly Changeset[],
): Size {
  const isCompatible = changesets.some(({ text }) => /^Compatible: \S/m.test(text))
  if (change === 'shrank' && !version.startsWith('0.') && !isCompatible) return 'major'
  return change === 'same' ? 'patch' : 'minor'
}

/** Whether a size is at least another one. */
export function isAtLeast(size: Size, needed: Size): boolean {
  return order.indexOf(size) >= order.indexOf(needed)
}

/** Headings that a major changeset lacks. */
export function missingHeadings({ sizes, text }: Changeset): string[] {
  if (![...sizes.values()].includes('major')) return []
  return ['Who is affected', 'How to migrate'].filter((heading) => !new RegExp(`^#+ ${heading}$`, 'm').test(text))
}

const order: Size[] = ['patch', 'minor', 'major']
