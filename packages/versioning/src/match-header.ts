import { splitList } from '../../internal/list.ts'
import { type ApiVersions, findRange, findVersion, intersect, type VersionMatch } from './api-versions.ts'

const MAX_LENGTH = 1024

/**
 * Matches a header that names versions exactly, such as `2` or `v2`. Repeated values must agree.
 */
export function matchNames<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  return matchItems(text, (item) => findVersion(item, apiVersions))
}

/** Matches a header that names versions or ranges. Several ranges must have a version in common. */
export function matchRanges<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  return matchItems(text, (item) => findRange(item, apiVersions))
}

function matchItems<V extends string>(text: string, match: (item: string) => VersionMatch<V>): VersionMatch<V> {
  if (text.length > MAX_LENGTH) return 'malformed'
  let common: VersionMatch<V> | undefined
  for (const item of splitList(text)) {
    const matched = match(item)
    // No later item makes a malformed or unsupported name valid.
    if (matched === 'malformed' || matched === 'conflict' || matched.length === 0) return matched
    const both: VersionMatch<V> = typeof common === 'object' ? intersect(common, matched) : matched
    if (both.length === 0) return 'conflict'
    common = both
  }
  return common ?? 'malformed'
}
