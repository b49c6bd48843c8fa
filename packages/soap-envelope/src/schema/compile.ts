import { escapeAttribute } from '../../../internal/xml-escape.ts'
import { assertOptions, type OptionRules } from '../assert-options.ts'
import type { XmlElement } from '../xml/element.ts'
import { clark, type QName, XML } from '../xml/names.ts'
import { assertText } from './assert-text.ts'
import { collectComponents } from './components.ts'
import { createDecoder } from './decode.ts'
import { loadSchemas, type ResolveImport, readDocument, type SchemaSources } from './documents.ts'
import { createEncoder } from './encode.ts'
import { LONG_WORDS, type LongAs } from './integer.ts'
import { createListCodec, type ListCodec } from './list-codec.ts'
import {
  type Content,
  type ElementDeclaration,
  elementContent,
  findLists,
  type GroupParticle,
  isUntyped,
  NONE,
  type Particle,
  type Type,
} from './model.ts'
import type { NamespaceScope } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'
import { typeTable } from './types.ts'

/** Options for `compileSchema()`. */
export interface CompileSchemaOptions {
  /** Returns the text of an imported or included document, by its name. */
  resolveImport?: ResolveImport
  /**
   * Type of 64-bit and unbounded integers: a `bigint`, a string of digits, or a number if it is
   * exact and otherwise a `bigint`.
   * @defaultValue 'bigint'
   */
  long?: LongAs
}

export const SCHEMA_OPTIONS: OptionRules<CompileSchemaOptions> = { resolveImport: 'function', long: LONG_WORDS }

/** A compiled schema that decodes and encodes its elements. */
export interface Schema {
  /** Whether there is a global element with this name. */
  has(name: QName): boolean
  /**
   * Decodes an element into a value. Throws a `SoapFault` `ValidationFailed` that names the path,
   * never the value.
   */
  decode(element: XmlElement): unknown
  /**
   * Encodes a value as a global element. Throws a `TypeError` that names the path of an invalid
   * value.
   */
  encode(name: QName, value: unknown): string
  /** The element declarations, for generators. */
  readonly elements: readonly ElementDeclaration[]
  /** The named types, for generators. */
  readonly types: readonly Type[]
}

/** Decodes and encodes an element. */
export interface ElementCodec {
  /** Name of the element. */
  readonly element: QName
  /** Decodes the element into a value. Throws a `SoapFault` `ValidationFailed` if it is invalid. */
  decode(element: XmlElement): unknown
  /**
   * Encodes a value as the element. Throws a `TypeError` that names the path of an invalid value.
   */
  encode(value: unknown, attach?: NamespaceScope['attach']): string
  /** The declaration of the element in the schema. */
  readonly declaration: ElementDeclaration
  /** Codec for the items of the repeated element at its end; `undefined` if there is none. */
  list(): ListCodec | undefined
}

/** A part of an rpc message: of a type, or an element of the schema. */
export interface WrappedPart {
  readonly name: string
  readonly element: QName | undefined
  readonly type: QName | undefined
}

/** A schema with the further codecs that a WSDL needs. */
export interface CompiledSchema extends Schema {
  /** A global element. */
  codec(name: QName): ElementCodec | undefined
  /**
   * An element of a global type that the schema itself does not declare. Throws a TypeError if it
   * lacks the type.
   */
  typed(name: QName, type: QName): ElementCodec
  /** The element around the parts of an rpc message, which come in any order. */
  wrapper(name: QName, parts: readonly WrappedPart[]): ElementCodec
}

/**
 * Compiles an XSD once for many messages. Throws a `TypeError` if it is invalid or not supported.
 */
export function compileSchema(xsd: string, options: CompileSchemaOptions = {}): Schema {
  const owner = 'soap-envelope: compileSchema'
  assertText(owner, 'xsd must be the text of a schema', xsd, () => 'the text of the schema')
  assertOptions(owner, options, SCHEMA_OPTIONS)
  const sources = loadSchemas([{ root: readDocument(xsd, 'the schema'), name: '' }], options.resolveImport)
  return compileSources(sources, options.long)
}

/**
 * Compiles the documents of a schema.
 *
 * @param more - further namespaces of elements that are written
 */
export function compileSources(
  sources: SchemaSources,
  long: LongAs = 'bigint',
  more: readonly string[] = [],
): CompiledSchema {
  const components = collectComponents(sources)
  const prefixes = prefixesFor([...sources.documents.map(({ namespace }) => namespace), ...more])
  const table = typeTable(components, long, new Map([...prefixes, [XML, 'xml']]))
  const namespaces = [...prefixes].map(([uri, prefix]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`).join('')
  const declared = prefixes.size > MAX_DECLARED ? undefined : namespaces
  const elements = components
    .all('element')
    .map(({ name }) => table.element(name))
    .filter((declaration) => declaration !== undefined)
  const types = components.all('type').map(({ name }) => table.type(name))
  table.finish()

  const codecFor = (declaration: ElementDeclaration): ElementCodec => {
    let list: { codec: ListCodec | undefined } | undefined
    return {
      element: { uri: declaration.uri, local: declaration.local },
      decode: createDecoder(declaration, table),
      encode: createEncoder(declaration, declared, table),
      declaration,
      list: () => {
        list ??= { codec: createListCodec(declaration, namespaces, table) }
        return list.codec
      },
    }
  }
  // By local name, of which a schema has few in two namespaces: one string for both would be joined
  // and hashed for each message.
  const codecs = new Map<string, ElementCodec[]>()
  for (const declaration of elements) {
    const { local } = declaration
    codecs.set(local, [...(codecs.get(local) ?? []), codecFor(declaration)])
  }
  const find = ({ uri, local }: QName): ElementCodec | undefined =>
    codecs.get(local)?.find(({ declaration }) => declaration.uri === uri)
  const required = (name: QName): ElementCodec => {
    const codec = find(name)
    if (codec) return codec
    throw new TypeError(`soap-envelope: the schema has no element ${clark(name)}`)
  }
  return {
    has: (name) => find(name) !== undefined,
    decode: (element) => required(element).decode(element),
    encode: (name, value) => required(name).encode(value),
    elements,
    types,
    codec: find,
    typed: (name, type) => codecFor(buildDeclaration(name, table.type(type), table)),
    wrapper: (name, parts) => {
      const members = parts.map(({ name: local, element, type }): Particle => {
        const partName = { uri: '', local }
        const declaration = type
          ? buildDeclaration(partName, table.type(type), table)
          : required(element ?? partName).declaration
        return { kind: 'element', element: declaration, min: 1, max: 1, key: local }
      })
      return codecFor(buildDeclaration(name, wrapperType(members), table))
    },
  }
}

/** Namespaces that every message declares; of more, it declares those that it uses. */
const MAX_DECLARED = 32

function prefixesFor(namespaces: readonly string[]): Map<string, string> {
  const used = [...new Set(namespaces)].filter((uri) => uri !== '' && uri !== XML)
  return new Map(used.map((uri, index) => [uri, index === 0 ? 't' : `t${index + 1}`]))
}

function wrapperType(members: readonly Particle[]): Type {
  const particle: GroupParticle = { kind: 'all', members, min: 1, max: 1, key: '', lists: findLists(members) }
  const content: Content = members.length === 0 ? { kind: 'empty' } : elementContent(particle, [])
  return {
    kind: 'complex',
    name: undefined,
    abstract: false,
    base: undefined,
    derivation: 'restriction',
    block: NONE,
    attributes: [],
    anyAttribute: undefined,
    content,
  }
}

function buildDeclaration(name: QName, type: Type, table: TypeTable): ElementDeclaration {
  const tag = table.tagOf(name)
  return {
    uri: name.uri,
    local: name.local,
    tag,
    open: `<${tag}>`,
    close: `</${tag}>`,
    type,
    isUntyped: isUntyped(type),
    nillable: false,
    abstract: false,
    fixed: undefined,
    default: undefined,
    block: NONE,
    constraints: [],
    mediaType: undefined,
    isGlobal: false,
  }
}
