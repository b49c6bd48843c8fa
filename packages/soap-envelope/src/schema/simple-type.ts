import type { XmlElement } from '../xml/element.ts'

/**
 * The reason why a text is not a value of a type. Returned instead of thrown: a union tries several
 * types.
 */
export class Invalid {
  /** Continues a sentence that begins with the path: `is not a long`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Gives namespaces a prefix where a value is written that names one. */
export interface NamespaceScope {
  prefixFor(uri: string): string
  /**
   * Attaches a binary value, with its media type if that is known. Returns the XML that refers to
   * it, or `undefined` to write its text.
   */
  attach?: ((bytes: Uint8Array, mediaType: string | undefined) => string | undefined) | undefined
}

/** A simple type of a schema, ready to read and write values. */
export interface SimpleType {
  readonly kind: 'simple'
  /** For messages and generated types: the local name, or that of the base. */
  readonly name: string
  /** The type that this one restricts; `undefined` for the built-in ones at the top. */
  readonly base: SimpleType | undefined
  /** The types of a union without facets, which may stand for it. */
  readonly members: readonly SimpleType[] | undefined
  /** Type of the values in TypeScript. */
  readonly typescript: string
  readonly whiteSpace: 'preserve' | 'replace' | 'collapse'
  /** Whether no value has a character that must be escaped. */
  readonly plain: boolean
  /**
   * Whether `parse` rejects every text with white space, which then need not be looked for first.
   */
  readonly rejectsSpace: boolean
  /** Whether values identify an element, or refer to one (XSD part 2 §3.3.8 and §3.3.9). */
  readonly identity: 'ID' | 'IDREF' | undefined
  /**
   * Reads a text whose white space is handled already. `node` is the scope of the prefixes in it.
   */
  parse(text: string, node?: XmlElement): unknown
  /** Writes a value as text, not yet escaped. */
  format(value: unknown, scope?: NamespaceScope): string | Invalid
  /** Whether the values are bytes in Base64, which may travel as attachments. */
  readonly isBase64: boolean
  /** Orders two values that `parse` gave, for the range facets. */
  readonly compare: ((a: unknown, b: unknown) => number) | undefined
  /** Length of a value in the sense of the length facets. */
  readonly lengthOf: ((value: unknown) => number) | undefined
}

/**
 * Completes a simple type. Every one has the same properties in the same order: reading and writing
 * touch many of them, and are twice as fast when all look alike to the engine.
 */
export function simpleType(init: SimpleTypeInit): SimpleType {
  const { name, base, typescript, whiteSpace = 'collapse', plain = false, isBase64 = false } = init
  const { members, rejectsSpace = false, identity, parse, format, compare, lengthOf } = init
  return {
    kind: 'simple',
    name,
    base,
    members,
    typescript,
    whiteSpace,
    plain,
    rejectsSpace,
    identity,
    isBase64,
    parse,
    format,
    compare,
    lengthOf,
  }
}

export type SimpleTypeInit = Pick<SimpleType, 'name' | 'typescript' | 'parse' | 'format'> &
  Partial<Omit<SimpleType, 'kind' | 'name' | 'typescript' | 'parse' | 'format'>>

const UNCOLLAPSED = /^ |[\t\n\r]| {2}| $/

/**
 * Reads a text of a document as a value of the type, white space handled as the type says (XSD part
 * 2, 4.3.6).
 */
export function readSimple(type: SimpleType, text: string, node?: XmlElement): unknown {
  if (type.rejectsSpace) {
    const value = type.parse(text, node)
    if (!(value instanceof Invalid)) return value
  }
  const { whiteSpace } = type
  let normal = text
  if (whiteSpace === 'replace') normal = text.replace(/[\t\n\r]/g, ' ')
  else if (whiteSpace === 'collapse' && UNCOLLAPSED.test(text))
    normal = text
      .split(/[ \t\n\r]+/)
      .filter(Boolean)
      .join(' ')
  return type.parse(normal, node)
}

/** Returns the error for a value or text that is not of a type. */
export function notA(name: string): Invalid {
  return new Invalid(`is not ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`)
}
