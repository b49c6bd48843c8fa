import { attributeOf } from '../xml/element.ts'
import { clark } from '../xml/names.ts'
import { referenceOf, type Source } from './components.ts'
import type { ElementDeclaration, Type } from './model.ts'
import type { TypeTable } from './types.ts'

/** A declaration of an element, or what a reference to a global one stands for. Its type is compiled when first used. */
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
  let type: Type | undefined
  return {
    uri: qualified ? document.namespace : '',
    local: attributeOf(node, '', 'name') ?? '',
    get type() {
      type ??= table.typeOf(source)
      return type
    },
    nillable: isTrue(attributeOf(node, '', 'nillable')),
    abstract: isTrue(attributeOf(node, '', 'abstract')),
    fixed: attributeOf(node, '', 'fixed'),
    default: attributeOf(node, '', 'default'),
  }
}

function isQualified({ node, document }: Source): boolean {
  const form = attributeOf(node, '', 'form') ?? attributeOf(document.root, '', 'elementFormDefault')
  return form === 'qualified'
}

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1'
}
