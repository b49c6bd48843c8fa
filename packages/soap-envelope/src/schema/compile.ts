import type { XmlElement } from '../xml/element.ts'
import { escapeAttribute } from '../xml/escape.ts'
import { clark, type QName } from '../xml/names.ts'
import { collectComponents } from './components.ts'
import { decodeElement } from './decode.ts'
import { loadSchemas, type ResolveImport, readDocument, type SchemaDocument } from './documents.ts'
import { elementDeclaration } from './element.ts'
import { encodeRoot } from './encode.ts'
import type { LongAs } from './integer.ts'
import type { ElementDeclaration, Type } from './model.ts'
import { typeTable } from './types.ts'

/** How a schema is compiled. */
export interface SchemaOptions {
  /** Gives the text of a schema by the name under which another one imports or includes it. */
  resolveImport?: ResolveImport
  /**
   * What a 64-bit or unbounded integer is: a `bigint`, its digits, or a number where it is exact and else a bigint.
   * @defaultValue 'bigint'
   */
  long?: LongAs
}

/** A schema that reads and writes its elements. */
export interface Schema {
  /** Whether there is a global element of this name. */
  has(name: QName): boolean
  /** Reads an element as a value. Throws a SoapFault `ValidationFailed` that names the path and never the value. */
  decode(element: XmlElement): unknown
  /** Writes a value as a global element. Throws a TypeError that names the path of what does not fit. */
  encode(name: QName, value: unknown): string
  /** The declarations, for what is made from them. */
  readonly elements: readonly ElementDeclaration[]
  /** The named types, for what is made from them. */
  readonly types: readonly Type[]
}

/** Compiles an XSD once for many messages. Throws a TypeError on what is wrong in it, or not supported. */
export function compileSchema(xsd: string, options: SchemaOptions = {}): Schema {
  const { documents } = loadSchemas([readDocument(xsd, 'the schema')], options.resolveImport)
  return schemaOf(documents, options.long)
}

/** Compiles the documents of a schema. */
export function schemaOf(documents: readonly SchemaDocument[], long: LongAs = 'bigint'): Schema {
  const components = collectComponents(documents)
  const namespaces = [...new Set(documents.map(({ namespace }) => namespace))].filter(Boolean)
  const prefixes = new Map(namespaces.map((uri, at) => [uri, at === 0 ? 't' : `t${at + 1}`]))
  const table = typeTable(components, long, prefixes)
  const declarations = namespaces.map((uri) => ` xmlns:${prefixes.get(uri)}="${escapeAttribute(uri)}"`).join('')
  const elements = new Map(
    components.all('element').map((source) => [clark(source.name), elementDeclaration(source, table)]),
  )
  const types = components.all('type').map(({ name }) => table.type(name))
  table.finish()
  return {
    has: (name) => elements.has(clark(name)),
    decode: (element) => {
      const declaration = elements.get(clark(element))
      if (!declaration) throw new TypeError(`the schema has no element ${clark(element)}`)
      return decodeElement(element, declaration, table)
    },
    encode: (name, value) => {
      const declaration = elements.get(clark(name))
      if (!declaration) throw new TypeError(`the schema has no element ${clark(name)}`)
      return encodeRoot(value, declaration, declarations, table)
    },
    elements: [...elements.values()],
    types,
  }
}
