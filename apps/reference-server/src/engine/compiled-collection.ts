import type { Dialect } from '../database/connection.ts'
import type { Cursors } from './cursor.ts'
import type { Collection, Document } from './define.ts'
import { type Forms, formsOf } from './forms-of.ts'

import {
  embeddedHalOf,
  embeddingHalOf,
  type HalItem,
  type HalSource,
  halOf,
  type Relation,
  relationsOf,
} from './hal-of.ts'
import { type CollectionNames, namesOf } from './names.ts'

import { reachOf } from './reach.ts'
import { type Repository, repositoryOf } from './repository.ts'
import { type ApiVersion, compileVersions, type VersionCodec } from './versions.ts'

export type { RenderContext } from './hal-of.ts'

/** A collection with everything that was worked out from its declaration. */
export interface CompiledCollection {
  collection: Collection
  /** Its names in the OpenAPI document. */
  names: CollectionNames
  repository: Repository
  hal: HalItem
  /** The same with others beside it. */
  embedding: HalItem
  /** Its forms in an API version. */
  forms(version: string): Forms
  /** Fields that the database computes from other rows: the revision does not know them. */
  computed: readonly string[]
  /** What can be embedded. */
  relations: ReadonlyMap<string, Relation>
  /** The shape behind a relation. */
  related(relation: string): CompiledCollection | undefined
  /** The collection whose items a field refers to. */
  referenced(field: string): Collection | undefined
  /** Marks of places in its pages. */
  cursors: Cursors
  /** How items look in an API version. */
  codec(version: string): VersionCodec
}

/** CompiledCollections by the name of their collection. */
export type CompiledCollections = ReadonlyMap<string, CompiledCollection>

export interface CompileOptions {
  collections: readonly Collection[]
  documents: readonly Document[]
  versions: readonly ApiVersion[]
  dialect: Dialect
  cursors: Cursors
}

/** Works out all collections, once. */
export function compileCollections({
  collections,
  documents,
  versions,
  dialect,
  cursors,
}: CompileOptions): CompiledCollections {
  const reach = reachOf(collections, documents)
  const codecsFor = compileVersions(versions)
  const sources = collections.map(
    (collection): HalSource => ({ collection, links: reach.linksOf(collection), codecs: codecsFor(collection) }),
  )
  const others = new Map(sources.map((source) => [source.collection.name, embeddedHalOf(source)]))
  const shapes = new Map<string, CompiledCollection>()
  for (const source of sources) {
    const { collection, codecs } = source
    const relations = relationsOf(collection, collections)
    shapes.set(collection.name, {
      collection,
      names: namesOf(collection, collections),
      repository: repositoryOf(collection, dialect),
      hal: halOf(source),
      embedding: embeddingHalOf(source, relations, others),
      forms: formsOf(source),
      computed: Object.entries(collection.fields).flatMap(([field, { select }]) => (select ? [field] : [])),
      relations,
      cursors,
      related: (relation) => shapes.get(relations.get(relation)?.collection ?? ''),
      referenced: (field) => collections.find(({ table }) => table === collection.references[field]),
      codec: codecs,
    })
  }
  return shapes
}

/** The shape of a collection that a declaration names. */
export function getCollection(shapes: CompiledCollections, name: string | undefined): CompiledCollection {
  const shape = shapes.get(name ?? '')
  if (!shape) throw new TypeError(`there is no collection ${name}`)
  return shape
}
