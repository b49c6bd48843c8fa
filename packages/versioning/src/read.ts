import { splitList } from '../../internal/list.ts'
import { type Catalogue, findRange, findVersion, intersect, type Wanted } from './catalogue.ts'

const MAX_LENGTH = 1024

/** Reads a header that names versions exactly, such as `2` or `v2`; repeated values must agree. */
export function readNames<V extends string>(text: string, catalogue: Catalogue<V>): Wanted<V> {
  return readMembers(text, (member) => findVersion(member, catalogue))
}

/** Reads a header that names versions or ranges; several must have a version in common. */
export function readRanges<V extends string>(text: string, catalogue: Catalogue<V>): Wanted<V> {
  return readMembers(text, (member) => findRange(member, catalogue))
}

function readMembers<V extends string>(text: string, read: (member: string) => Wanted<V>): Wanted<V> {
  if (text.length > MAX_LENGTH) return 'malformed'
  let common: Wanted<V> | undefined
  for (const member of splitList(text)) {
    const wanted = read(member)
    // Nothing that follows makes a malformed or unknown name good again.
    if (wanted === 'malformed' || wanted === 'conflict' || wanted.length === 0) return wanted
    const both: Wanted<V> = typeof common === 'object' ? intersect(common, wanted) : wanted
    if (both.length === 0) return 'conflict'
    common = both
  }
  return common ?? 'malformed'
}
