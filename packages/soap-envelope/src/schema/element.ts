import { attributeOf } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { referenceOf, type Source } from './components.ts'
import type { ElementDeclaration, Type } from './model.ts'
import type { TypeTable } from './types.ts'

/** A declaration of an element, or what a reference to a global one stands for. */
export function elementDeclaration(source: Source, table: TypeTable): ElementDeclaration {
  const reference = referenceOf(source, 'ref')
  if (reference) {
    const global = table.components.find('element', reference)
    if (!global) throw new TypeError(`the schema has no element ${clark(reference)}`)
    return declare(global, table, true)
  }
  const isGlobal = source.node.parent === source.document.root
  return declare(source, table, isGlobal || isQualified(source))
}

function declare(source: Source, table: TypeTable, qualified: boolean): ElementDeclaration {
  const { node, document } = source
  if (attributeOf(node, '', 'substitutionGroup') !== undefined)
    throw new TypeError(`the element ${attributeOf(node, '', 'name')} is in a substitution group: not supported`)
  const local = attributeOf(node, '', 'name') ?? ''
  const uri = qualified ? document.namespace : ''
  const tag = table.tagOf({ uri, local })
  const declaration: Filled = {
    uri,
    local,
    tag,
    open: `<${tag}>`,
    close: `</${tag}>`,
    type: NOT_YET,
    nillable: isTrue(attributeOf(node, '', 'nillable')),
    abstract: isTrue(attributeOf(node, '', 'abstract')),
    fixed: attributeOf(node, '', 'fixed'),
    default: attributeOf(node, '', 'default'),
  }
  table.later(() => {
    declaration.type = table.typeOf(source)
  })
  return declaration
}

type Filled = { -readonly [Key in keyof ElementDeclaration]: ElementDeclaration[Key] }

// A type may contain itself: its elements get their types when all are known.
const NOT_YET: Type = {
  ...{ kind: 'complex', name: undefined, abstract: true, base: undefined },
  ...{ attributes: [], anyAttribute: undefined, content: { kind: 'empty' } },
}

function isQualified({ node, document }: Source): boolean {
  const form = attributeOf(node, '', 'form') ?? attributeOf(document.root, '', 'elementFormDefault')
  return form === 'qualified'
}

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1'
}
