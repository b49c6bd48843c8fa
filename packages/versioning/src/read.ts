import { splitList } from '../../internal/list.ts'
import { type ApiVersions, findRange, findVersion, intersect, type VersionMatch } from './api-versions.ts'

const MAX_LENGTH = 1024

/** Reads a header that names versions exactly, such as `2` or `v2`; repeated values must agree. */
export function readNames<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  return readMembers(text, (member) => findVersion(member, apiVersions))
}

/** Reads a header that names versions or ranges; several must have a version in common. */
export function readRanges<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  return readMembers(text, (member) => findRange(member, apiVersions))
}

function readMembers<V extends string>(text: string, read: (member: string) => VersionMatch<V>): VersionMatch<V> {
  if (text.length > MAX_LENGTH) return 'malformed'
  let common: VersionMatch<V> | undefined
  for (const member of splitList(text)) {
    const wanted = read(member)
    // Nothing that follows makes a malformed or unknown name good again.
    if (wanted === 'malformed' || wanted === 'conflict' || wanted.length === 0) return wanted
    const both: VersionMatch<V> = typeof common === 'object' ? intersect(common, wanted) : wanted
    if (both.length === 0) return 'conflict'
    common = both
  }
  return common ?? 'malformed'
}
