import { getAttribute } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { listType } from './built-in.ts'
import { findParts, findReference, resolveReference } from './components.ts'
import { restrict } from './facets.ts'
import type { SimpleType } from './simple-type.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'
import { unionType } from './union.ts'

/** Compiles an `xs:simpleType`: a restriction, a list or a union (XSD part 2, 4.1). */
export function compileSimple(source: Source, table: TypeTable): SimpleType {
  const name = getAttribute(source.node, '', 'name')
  const [variety] = findParts(source)
  if (!variety) throw new TypeError(`soap-envelope: the simple type ${name ?? ''} is empty`)
  if (variety.node.local === 'restriction') {
    const base = findBase(variety, 'base', table)
    return restrict(name ?? base.name, base, variety.node)
  }
  if (variety.node.local === 'list') {
    const item = findBase(variety, 'itemType', table)
    return listType(name ?? `list of ${item.name}`, item)
  }
  const named = (getAttribute(variety.node, '', 'memberTypes') ?? '').split(/\s+/).filter(Boolean)
  const members = named.map((text) => table.type(resolveReference(text, variety)))
  const inline = findParts(variety).map((inner) => compileSimple(inner, table))
  return unionType(name ?? 'union', [...members.filter((member) => member.kind === 'simple'), ...inline])
}

/** The simple type that a derivation starts from: named, or written inside it. */
export function findBase(variety: Source, attribute: string, table: TypeTable): SimpleType {
  const name = findReference(variety, attribute)
  if (!name) return table.simpleTypeOf(variety)
  const base = table.type(name)
  if (base.kind === 'simple') return base
  if (base.content.kind === 'simple') return base.content.type
  throw new TypeError(`soap-envelope: ${clark(name)} is not a simple type`)
}
