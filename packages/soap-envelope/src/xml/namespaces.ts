import { limitFault } from '../fault.ts'
import type { XmlAttribute } from './element.ts'
import type { MessageLimits } from './limits.ts'
import { copyName, XML } from './names.ts'
import { malformed } from './parser.ts'

const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** The namespaces that are bound inside an element with declarations. */
interface Scope {
  readonly outer: Scope | undefined
  /** Namespaces by prefix; also those of outer scopes once they were looked up. */
  readonly bindings: Map<string, string>
  /** Depth of the element. */
  readonly depth: number
}

/** The name of an element, resolved in the scope where it was last used. */
interface ResolvedName {
  readonly raw: string
  readonly prefix: string
  readonly local: string
  uri: string
  scope: Scope
  /** The name that followed this one the last time. */
  next: ResolvedName | undefined
}

/** An attribute as saxes reports it. */
export interface RawAttribute {
  readonly name: string
  readonly value: string
}

/** The attributes of a tag. */
export interface TagAttributes {
  readonly attributes: readonly XmlAttribute[]
  readonly declarations: readonly XmlAttribute[]
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = Object.freeze([])
export const NO_TAG_ATTRIBUTES: TagAttributes = { attributes: NO_ATTRIBUTES, declarations: NO_ATTRIBUTES }

const DOCUMENT: Scope = {
  outer: undefined,
  bindings: new Map([
    ['', ''],
    ['xml', XML],
  ]),
  depth: 0,
}

/** The scope of names that are not resolved. */
const NONE: Scope = { outer: undefined, bindings: new Map(), depth: 0 }

/** Names that are stored from one document to the next. */
const MAX_NAMES = 1000

/**
 * Resolves the names of documents (Namespaces in XML 1.0). saxes can do the same, but looks up the
 * prefix of each element in all open elements. Messages have few different names: each is split
 * once, and looked up once per scope.
 */
export class Namespaces {
  readonly #limits: MessageLimits
  readonly #names = new Map<string, ResolvedName>()
  readonly #start: ResolvedName = { raw: '', prefix: '', local: '', uri: '', scope: DOCUMENT, next: undefined }
  #last = this.#start
  #scope = DOCUMENT

  constructor(limits: MessageLimits) {
    this.#limits = limits
  }

  /** Starts another document. */
  restart(): void {
    this.#last = this.#start
    this.#scope = DOCUMENT
    if (this.#names.size > MAX_NAMES) {
      this.#names.clear()
      this.#start.next = undefined
    }
    // Namespaces are parts of the document, which must not be kept.
    for (const name of this.#names.values()) {
      name.uri = ''
      name.scope = NONE
    }
  }

  /** Resolves the name of an element. Throws a SoapFault if it is not a qualified name. */
  resolve(raw: string): Readonly<ResolvedName> {
    let name = this.#last.next
    // Documents repeat their names in one order, and a comparison is cheaper than a hash.
    if (name === undefined || name.raw !== raw) {
      name = this.#names.get(raw) ?? this.#add(raw)
      this.#last.next = name
    }
    if (name.scope !== this.#scope) {
      name.uri = this.#find(name.prefix)
      name.scope = this.#scope
    }
    this.#last = name
    return name
  }

  #add(raw: string): ResolvedName {
    checkNameLength(raw, this.#limits)
    const copy = copyName(raw)
    const { prefix, local } = splitName(copy)
    if (prefix === 'xmlns') throw malformed('an element has the prefix xmlns.')
    const uri = this.#find(prefix)
    const name = { raw: copy, prefix, local: copyName(local), uri, scope: this.#scope, next: undefined }
    this.#names.set(copy, name)
    return name
  }

  /** The namespace of a prefix. */
  #find(prefix: string): string {
    for (let scope: Scope | undefined = this.#scope; scope; scope = scope.outer) {
      const uri = scope.bindings.get(prefix)
      if (uri === undefined) continue
      if (scope !== this.#scope) this.#scope.bindings.set(prefix, uri)
      return uri
    }
    throw malformed(`the prefix ${JSON.stringify(prefix)} is not bound to a namespace.`)
  }

  /** Opens the scope of a tag that has attributes, and resolves them. */
  open(raw: readonly RawAttribute[], depth: number): TagAttributes {
    let declarations: XmlAttribute[] | undefined
    for (const attribute of raw) {
      if (!isDeclaration(attribute)) continue
      const declaration = readDeclaration(attribute)
      if (declarations === undefined) {
        declarations = []
        this.#scope = { outer: this.#scope, bindings: new Map(), depth }
      }
      declarations.push(declaration)
      const { prefix, local, value } = declaration
      this.#scope.bindings.set(prefix === '' ? '' : local, value)
    }
    const count = declarations?.length ?? 0
    const attributes = count === raw.length ? NO_ATTRIBUTES : this.#resolveAttributes(raw)
    return { attributes, declarations: declarations ?? NO_ATTRIBUTES }
  }

  #resolveAttributes(raw: readonly RawAttribute[]): XmlAttribute[] {
    const attributes: XmlAttribute[] = []
    for (const attribute of raw) {
      if (isDeclaration(attribute)) continue
      const { prefix, local } = splitName(attribute.name)
      const uri = prefix === '' ? '' : this.#find(prefix)
      if (uri !== '' && attributes.some((other) => other.local === local && other.uri === uri))
        throw malformed(`the attribute {${uri}}${local} comes twice.`)
      attributes.push({ uri, local, prefix, value: attribute.value })
    }
    return attributes
  }

  /** Closes the scope of an element, if it has one. */
  close(depth: number): void {
    const { outer } = this.#scope
    if (outer !== undefined && this.#scope.depth === depth) this.#scope = outer
  }
}

function isDeclaration({ name }: RawAttribute): boolean {
  return name.startsWith('xmlns') && (name.length === 5 || name.charCodeAt(5) === 0x3a)
}

/** Throws a SoapFault if a name is too long. */
export function checkNameLength(name: string, { maxNameLength }: MessageLimits): void {
  if (name.length > maxNameLength) throw limitFault(`A name is longer than ${maxNameLength} characters.`)
}

/** Reads `xmlns` or `xmlns:*` (Namespaces in XML 1.0 §3). Its value is not trimmed: no reader does. */
function readDeclaration({ name, value }: RawAttribute): XmlAttribute {
  if (value !== value.trim()) throw malformed('white space around a namespace name.')
  const { prefix, local } = splitName(name)
  const isReserved = local === 'xml' || value === XML ? local !== 'xml' || value !== XML : value === XMLNS
  if (isReserved || (prefix !== '' && (local === 'xmlns' || value === '')))
    throw malformed(`the declaration ${name} is not allowed.`)
  return { uri: XMLNS, local, prefix, value }
}

function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':')
  if (colon === -1) return { prefix: '', local: name }
  const local = name.slice(colon + 1)
  if (colon === 0 || local.includes(':') || !startsName(local)) throw malformed('a name is not a qualified name.')
  return { prefix: name.slice(0, colon), local }
}

/** saxes accepts `p:1` as a name, since `:` and digits may be inside one (Namespaces in XML 1.0 §4). */
function startsName(local: string): boolean {
  const char = local.charCodeAt(0)
  const isDigit = char >= 0x30 && char <= 0x39
  return local !== '' && !isDigit && char !== 0x2d && char !== 0x2e && char !== 0xb7
}
