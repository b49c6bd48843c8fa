import { attributeOf, resolveQName } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { listType } from './built-in.ts'
import { partsOf, referenceOf } from './components.ts'
import { restrict } from './facets.ts'
import type { SimpleType } from './simple-type.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'
import { unionType } from './union.ts'

/** Compiles an `xs:simpleType`: a restriction, a list or a union (XSD part 2, 4.1). */
export function compileSimple(source: Source, table: TypeTable): SimpleType {
  const name = attributeOf(source.node, '', 'name')
  const [variety] = partsOf(source)
  if (!variety) throw new TypeError(`soap-envelope: the simple type ${name ?? ''} is empty`)
  if (variety.node.local === 'restriction') {
    const base = baseOf(variety, 'base', table)
    return restrict(name ?? base.name, base, variety.node)
  }
  if (variety.node.local === 'list') {
    const item = baseOf(variety, 'itemType', table)
    return listType(name ?? `list of ${item.name}`, item)
  }
  const named = (attributeOf(variety.node, '', 'memberTypes') ?? '').split(/\s+/).filter(Boolean)
  const members = named.map((text) => {
    const member = resolveQName(variety.node, text)
    return table.type(member ?? { uri: '', local: text })
  })
  const inline = partsOf(variety).map((inner) => compileSimple(inner, table))
  return unionType(name ?? 'union', [...members.filter((member) => member.kind === 'simple'), ...inline])
}

/** The simple type that a derivation starts from: named, or written inside it. */
export function baseOf(variety: Source, attribute: string, table: TypeTable): SimpleType {
  const name = referenceOf(variety, attribute)
  if (!name) return table.simpleTypeOf(variety)
  const base = table.type(name)
  if (base.kind === 'simple') return base
  if (base.content.kind === 'simple') return base.content.type
  throw new TypeError(`soap-envelope: ${clark(name)} is no simple type`)
}
