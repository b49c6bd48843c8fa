import type { Collection } from './define.ts'

/** Names of cache groups as their fields list them (RFC 9875 2): everything in a group goes stale together. */
export function groupList(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `"${name}"`).join(', ')
}

/** The groups of what a collection shows, with `others` that it is made of too, and of what its changes make stale. */
export function buildCacheGroups(
  { name, affects }: Collection,
  others: readonly string[] = [],
): { shown: { groups: string }; changed: { groups: string } } {
  return { shown: { groups: groupList([name, ...others]) }, changed: { groups: groupList([name, ...affects]) } }
}
