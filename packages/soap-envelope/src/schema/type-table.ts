import type { QName } from '../xml/names.ts'
import type { Components } from './components.ts'
import type { ElementDeclaration, Type } from './model.ts'
import type { SimpleType } from './simple-type.ts'
import type { Source } from './source.ts'

/** The types and global elements of a schema, each compiled once, when it is first requested. */
export interface TypeTable {
  readonly components: Components
  /** A global or built-in type, for a name that came from outside. */
  find(name: QName): Type | undefined
  /** A global or built-in type. Throws a TypeError if there is none of that name. */
  type(name: QName): Type
  /** The type of a declaration: named by its attribute, or written inside it. */
  typeOf(source: Source): Type
  simpleTypeOf(source: Source): SimpleType
  /** A global element. */
  element(name: QName): ElementDeclaration | undefined
  /** Elements that may replace a global one, without itself (XSD part 1, 3.3.6). */
  substitutesOf(head: ElementDeclaration): readonly ElementDeclaration[]
  /** A name with the prefix that its namespace has in what is written. */
  tagOf(name: QName): string
  /** The namespace of each prefix in what is written. */
  readonly prefixes: ReadonlyMap<string, string>
  /** Puts off a step until the type that is being compiled is complete. */
  later(step: () => void): void
  /** Puts off a check until all types are complete. */
  finally(check: () => void): void
  /** Whether a type of the schema is, or comes from, `xs:ID` or `xs:IDREF`. */
  hasIdentifiers: boolean
  /** Takes the steps that were put off, and those that they put off, and then the checks. */
  finish(): void
}
