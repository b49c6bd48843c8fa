import type { Dialect } from '../database/database.ts'
import type { Cursors } from './cursor.ts'
import type { Collection, Document } from './define.ts'
import { type Forms, formsOf } from './forms-of.ts'
import { embeddedHalOf, embeddingHalOf, type HalItem, halOf, type Relation, relationsOf, wiresOf } from './hal-of.ts'
import { reachOf } from './reach.ts'
import { type Repository, repositoryOf } from './repository.ts'
import type { Wire } from './wire.ts'

export type { RenderContext } from './hal-of.ts'

/** A collection with everything that was worked out from its declaration. */
export interface Shape {
  collection: Collection
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
  related(relation: string): Shape | undefined
  /** Marks of places in its pages. */
  cursors: Cursors
  /** How items look in an API version. */
  wire(version: string): Wire
}

/** Shapes by the name of their collection. */
export type Shapes = ReadonlyMap<string, Shape>

export interface ShapeOptions {
  collections: readonly Collection[]
  documents: readonly Document[]
  dialect: Dialect
  cursors: Cursors
}

/** Works out all collections, once. */
export function shapesOf({ collections, documents, dialect, cursors }: ShapeOptions): Shapes {
  const reach = reachOf(collections, documents)
  const linksOf = new Map(collections.map((collection) => [collection.name, reach.linksOf(collection)]))
  const others = new Map(
    collections.map((collection) => [collection.name, embeddedHalOf(collection, linksOf.get(collection.name) ?? {})]),
  )
  const shapes = new Map<string, Shape>()
  for (const collection of collections) {
    const relations = relationsOf(collection, collections)
    const links = linksOf.get(collection.name) ?? {}
    shapes.set(collection.name, {
      collection,
      repository: repositoryOf(collection, dialect),
      hal: halOf(collection, links),
      embedding: embeddingHalOf(collection, links, relations, others),
      forms: formsOf(collection, links),
      computed: Object.entries(collection.fields).flatMap(([field, { select }]) => (select ? [field] : [])),
      relations,
      cursors,
      related: (relation) => shapes.get(relations.get(relation)?.collection ?? ''),
      wire: wiresOf(collection),
    })
  }
  return shapes
}

/** The shape of a collection that a declaration names. */
export function shapeNamed(shapes: Shapes, name: string | undefined): Shape {
  const shape = shapes.get(name ?? '')
  if (!shape) throw new TypeError(`there is no collection ${name}`)
  return shape
}
