import type { Dialect } from '../database/connection.ts'
import type { Cursors } from './cursor.ts'
import type { Collection, Document } from './define.ts'
import {
  compileForms,
  createEmbeds,
  createHal,
  type Forms,
  findRelations,
  type HalItem,
  type HalSource,
  type Relation,
} from './hal.ts'
import { compileReach } from './reach.ts'
import { createRepository, type Repository } from './repository.ts'
import { type ApiVersion, compileVersions, type VersionCodec } from './versions.ts'

export type { RenderContext } from './hal.ts'

/** A collection with everything that follows from its declaration. */
export interface CompiledCollection {
  collection: Collection
  /** Its names in the OpenAPI document. */
  names: CollectionNames
  repository: Repository
  hal: HalItem
  /** As `hal`, with embedded items. */
  embedding: HalItem
  /** Returns its forms in an API version. */
  forms(version: string): Forms
  /** Fields that the database computes from other rows. They do not change the revision. */
  computed: readonly string[]
  /** Relations that can be embedded. */
  relations: ReadonlyMap<string, Relation>
  /** Returns the collection that a relation leads to. */
  related(relation: string): CompiledCollection | undefined
  /** Returns the collection whose items a field refers to. */
  referenced(field: string): Collection | undefined
  /** Cursors of its pages. */
  cursors: Cursors
  /** Returns the codec of an API version. */
  codec(version: string): VersionCodec
}

/** Compiled collections by name. */
export type CompiledCollections = ReadonlyMap<string, CompiledCollection>

export interface CompileOptions {
  collections: readonly Collection[]
  documents: readonly Document[]
  versions: readonly ApiVersion[]
  dialect: Dialect
  cursors: Cursors
}

/** Compiles all collections, once. */
export function compileCollections(options: CompileOptions): CompiledCollections {
  const { collections, documents, versions, dialect, cursors } = options
  const linksFor = compileReach(collections, documents)
  const codecsFor = compileVersions(versions)
  const sources = collections.map(
    (collection): HalSource => ({ collection, links: linksFor(collection), codecs: codecsFor(collection) }),
  )
  const others = new Map(sources.map((source) => [source.collection.name, createHal(source, 'all')]))
  const shapes = new Map<string, CompiledCollection>()
  for (const source of sources) {
    const { collection, codecs } = source
    const relations = findRelations(collection, collections)
    shapes.set(collection.name, {
      collection,
      names: createNames(collection, collections),
      repository: createRepository(collection, dialect),
      hal: createHal(source, 'chosen'),
      embedding: createHal(source, 'chosen', createEmbeds(relations, others)),
      forms: compileForms(source),
      computed: Object.entries(collection.fields).flatMap(([field, { select }]) => (select ? [field] : [])),
      relations,
      cursors,
      related: (relation) => shapes.get(relations.get(relation)?.collection ?? ''),
      referenced: compileReferences(collection, collections),
      codec: codecs,
    })
  }
  return shapes
}

// An item may list the items of a collection below it, as an order lists its lines: their
// references count too.
function compileReferences(collection: Collection, collections: readonly Collection[]) {
  const below = collections.filter(({ path }) => path.startsWith(`${collection.path}/{`))
  const references = new Map([...below, collection].flatMap(({ references }) => Object.entries(references)))
  return (field: string): Collection | undefined => collections.find(({ table }) => table === references.get(field))
}

/** Returns a compiled collection by its name. */
export function getCollection(shapes: CompiledCollections, name: string | undefined): CompiledCollection {
  const shape = shapes.get(name ?? '')
  if (!shape) throw new TypeError(`there is no collection ${name}`)
  return shape
}

/** Names of a collection in the OpenAPI document and in clients generated from it. */
export interface CollectionNames {
  /** One item, as a type: `OrderItem`. */
  item: string
  /** All items, as part of a method name: `OrderItems`. */
  items: string
  /** One item in a sentence, with its article: `an employee`. */
  oneItem: string
  /** All items in a sentence: `SOAP events`. */
  allItems: string
}

/** Returns the names of a collection. An item of an order is an `OrderItem`. */
function createNames(
  { name, item, parent }: Pick<Collection, 'name' | 'item' | 'parent'>,
  collections: readonly Pick<Collection, 'name' | 'item'>[],
): CollectionNames {
  const owner = collections.find(({ name }) => name === parent)?.item ?? ''
  const prefix = toPascalCase(owner)
  return {
    item: prefix + toPascalCase(item),
    items: prefix + toPascalCase(name),
    oneItem: `${/^[aeio]/.test(owner || item) ? 'an' : 'a'} ${toWords(owner, item)}`,
    allItems: toWords(owner, name),
  }
}

/** `order-label` as part of a name in code: `OrderLabel`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function toWords(...names: readonly string[]): string {
  return names
    .filter(Boolean)
    .join(' ')
    .replaceAll('-', ' ')
    .replace(/\bsoap\b/g, 'SOAP')
}
