import { attributeOf } from '../xml/element.ts'
import { clark, type QName, XSD } from '../xml/names.ts'
import { builtInTypes } from './built-in.ts'
import { emptyComplexType, fillComplexType } from './complex-declaration.ts'
import { type Components, partsOf, referenceOf, type Source } from './components.ts'
import type { LongAs } from './integer.ts'
import type { Type } from './model.ts'
import { compileSimple } from './simple-declaration.ts'
import type { SimpleType } from './simple-type.ts'

/** The types of a schema, each compiled once, when it is first asked for. */
export interface TypeTable {
  readonly components: Components
  /** A global or built-in type, for a name that came from outside. */
  find(name: QName): Type | undefined
  /** A global or built-in type. Throws a TypeError when there is none of that name. */
  type(name: QName): Type
  /** The type of a declaration: named by its attribute, or written inside it. */
  typeOf(source: Source): Type
  simpleTypeOf(source: Source): SimpleType
  /** A name with the prefix that its namespace has in what is written. */
  tagOf(name: QName): string
  /** Puts off a step until the type that is being compiled is complete. */
  later(step: () => void): void
  /** Takes the steps that were put off, and those that they put off. */
  finish(): void
}

/** Compiles types on demand. `prefixes` has that of each namespace of the schema. */
export function typeTable(components: Components, long: LongAs, prefixes: ReadonlyMap<string, string>): TypeTable {
  const builtIn = builtInTypes(long)
  const compiled = new Map<Source['node'], Type>()
  const steps: (() => void)[] = []

  const table: TypeTable = {
    components,
    find: (name) => {
      const own = components.find('type', name)
      return own ? compile(own) : name.uri === XSD ? builtIn.get(name.local) : undefined
    },
    type: (name) => {
      const found = table.find(name)
      if (!found) throw new TypeError(`the schema has no type ${clark(name)}, or it is one that is not supported`)
      return found
    },
    typeOf: (source) => {
      const name = referenceOf(source, 'type')
      if (name) return table.type(name)
      const inner = partsOf(source).find(({ node }) => node.local === 'complexType' || node.local === 'simpleType')
      if (inner) return compile(inner)
      if (source.node.local === 'attribute') return table.type({ uri: XSD, local: 'anySimpleType' })
      throw new TypeError(`the element ${attributeOf(source.node, '', 'name') ?? ''} has no type: not supported`)
    },
    simpleTypeOf: (source) => {
      const type = table.typeOf(source)
      if (type.kind === 'simple') return type
      throw new TypeError(`the type ${type.name ? clark(type.name) : ''} is complex where a simple one is needed`)
    },
    tagOf: ({ uri, local }) => {
      const prefix = prefixes.get(uri)
      return prefix === undefined ? local : `${prefix}:${local}`
    },
    later: (step) => void steps.push(step),
    finish: () => {
      for (let step = steps.pop(); step; step = steps.pop()) step()
    },
  }

  const compile = (source: Source): Type => {
    const known = compiled.get(source.node)
    if (known) return known
    if (source.node.local === 'simpleType') {
      const type = compileSimple(source, table)
      compiled.set(source.node, type)
      return type
    }
    const type = emptyComplexType(source)
    compiled.set(source.node, type) // before its content is: a type may contain itself
    fillComplexType(type, source, table)
    return type
  }
  return table
}
