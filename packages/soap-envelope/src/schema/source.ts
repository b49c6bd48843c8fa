import type { XmlElement } from '../xml/element.ts'
import type { QName } from '../xml/names.ts'
import type { SchemaDocument } from './documents.ts'

/** A node of a schema with the document that its names are resolved in. */
export interface Source {
  readonly node: XmlElement
  readonly document: SchemaDocument
}

export type NamedSource = Source & { readonly name: QName }
