import { attributeOf } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import { attributesOf } from './attributes.ts'
import { partsOf, referenceOf, type Source } from './components.ts'
import { contentOf } from './content.ts'
import { restrict } from './facets.ts'
import type { ComplexType } from './model.ts'
import { baseOf } from './simple-declaration.ts'
import type { TypeTable } from './types.ts'

/** A complex type before its content is known: it may be part of its own content. */
export function emptyComplexType({ node, document }: Source): ComplexType {
  const local = attributeOf(node, '', 'name')
  return {
    kind: 'complex',
    name: local === undefined ? undefined : { uri: document.namespace, local },
    abstract: /^(true|1)$/.test(attributeOf(node, '', 'abstract') ?? ''),
    base: undefined,
    attributes: [],
    anyAttribute: undefined,
    content: { kind: 'empty' },
  }
}

/** Compiles the content and the attributes of an `xs:complexType` (XSD part 1, 3.4). */
export function fillComplexType(type: ComplexType, source: Source, table: TypeTable): void {
  const parts = partsOf(source)
  const outer = parts.find(({ node }) => node.local === 'complexContent' || node.local === 'simpleContent')
  const mixed = [source, outer].some((part) => part && /^(true|1)$/.test(attributeOf(part.node, '', 'mixed') ?? ''))
  if (mixed) throw new TypeError(`the type ${type.name ? clark(type.name) : ''} is mixed, which is not supported`)
  const derivation = outer && partsOf(outer)[0]
  const own = derivation ?? source
  const baseName = derivation && referenceOf(derivation, 'base')
  const base = baseName && !isAnyType(baseName) ? table.type(baseName) : undefined
  const isExtension = derivation?.node.local === 'extension'
  type.base = base
  if (outer?.node.local === 'simpleContent') {
    const simple = derivation && baseOf(derivation, 'base', table)
    if (!simple) throw new TypeError('a simpleContent has no base')
    type.content = { kind: 'simple', type: isExtension ? simple : restrict(simple.name, simple, own.node) }
  } else {
    type.content = contentOf(own, table, isExtension && base?.kind === 'complex' ? base.content : undefined)
  }
  const { attributes, anyAttribute } = attributesOf(own, table, base?.kind === 'complex' ? base : undefined)
  const keys = attributes.map(({ key }) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new TypeError(`two attributes of one type have the name "${twice.slice(1)}"`)
  type.attributes = attributes
  type.anyAttribute = anyAttribute
}

function isAnyType({ uri, local }: QName): boolean {
  return uri === XSD && local === 'anyType'
}
