import { getAttribute } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { findParts, findReference } from './components.ts'
import type { AttributeUse, ComplexType, Wildcard } from './model.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'
import { readWildcard } from './wildcard.ts'

interface Attributes {
  attributes: readonly AttributeUse[]
  anyAttribute: Wildcard | undefined
}

/**
 * The attributes of a type: those of its base, and its own, which may change or prohibit them. An
 * extension also lets in the other attributes that its base does (XSD part 1, 3.4.2).
 */
export function readAttributes(
  source: Source,
  table: TypeTable,
  base: ComplexType | undefined,
  isExtension: boolean,
): Attributes {
  const uses = new Map(base?.attributes.map((use) => [clark(use), use]))
  let wildcard: Wildcard | undefined
  const add = (parts: readonly Source[]): void => {
    for (const part of parts) {
      if (part.node.local === 'anyAttribute') wildcard = intersect(wildcard, readWildcard(part))
      if (part.node.local === 'attributeGroup') add(findParts(findAttributeGroup(part, table)))
      if (part.node.local !== 'attribute') continue
      const use = attributeUse(part, table)
      if (getAttribute(part.node, '', 'use') === 'prohibited') uses.delete(clark(use))
      else uses.set(clark(use), use)
    }
  }
  add(findParts(source))
  const anyAttribute = isExtension ? unite(base?.anyAttribute, wildcard) : wildcard
  return { attributes: numbered([...uses.values()]), anyAttribute }
}

/** The wildcards of a type and of its attribute groups let in what all of them do. */
function intersect(other: Wildcard | undefined, wildcard: Wildcard): Wildcard {
  if (!other) return wildcard
  return { allows: (uri) => other.allows(uri) && wildcard.allows(uri), process: wildcard.process }
}

function unite(inherited: Wildcard | undefined, wildcard: Wildcard | undefined): Wildcard | undefined {
  if (!inherited || !wildcard) return inherited ?? wildcard
  return { allows: (uri) => inherited.allows(uri) || wildcard.allows(uri), process: wildcard.process }
}

/** Attributes of one name from two namespaces are two properties: `@lang`, `@lang2`. */
function numbered(uses: readonly AttributeUse[]): AttributeUse[] {
  const taken = new Set<string>()
  return uses.map((use) => {
    let key = `@${use.local}`
    for (let number = 2; taken.has(key); number++) key = `@${use.local}${number}`
    taken.add(key)
    return { ...use, key }
  })
}

function findAttributeGroup(part: Source, table: TypeTable): Source {
  const name = findReference(part, 'ref')
  const group = name && table.components.find('attributeGroup', name)
  if (!group) throw new TypeError(`soap-envelope: the schema has no attribute group ${name ? clark(name) : ''}`)
  return group
}

function attributeUse(part: Source, table: TypeTable): AttributeUse {
  const reference = findReference(part, 'ref')
  const global = reference && table.components.find('attribute', reference)
  if (reference && !global) throw new TypeError(`soap-envelope: the schema has no attribute ${clark(reference)}`)
  const declaration = global ?? part
  const local = getAttribute(declaration.node, '', 'name') ?? ''
  const value = (name: string): string | undefined =>
    getAttribute(part.node, '', name) ?? getAttribute(declaration.node, '', name)
  const uri = global ? global.document.namespace : isQualified(part) ? part.document.namespace : ''
  return {
    uri,
    local,
    tag: table.tagOf({ uri, local }),
    key: '',
    type: table.simpleTypeOf(declaration),
    required: getAttribute(part.node, '', 'use') === 'required',
    fixed: value('fixed'),
    default: value('default'),
  }
}

function isQualified({ node, document }: Source): boolean {
  const form = getAttribute(node, '', 'form') ?? getAttribute(document.root, '', 'attributeFormDefault')
  return form === 'qualified'
}
