import { limitFault, type SoapFault } from '../fault.ts'
import type { XmlAttribute } from './element.ts'
import type { MessageLimits } from './limits.ts'
import { internName, XML } from './names.ts'
import { malformed } from './parser.ts'
import type { RawAttribute } from './shortcuts.ts'

const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** The namespaces that are bound inside an element with declarations. */
interface Scope {
  readonly outer: Scope | undefined
  /** Namespaces by prefix; also those of outer scopes once they were looked up. */
  readonly bindings: Map<string, string>
  /** Depth of the element. */
  readonly depth: number
  /** The declarations as they were written. */
  readonly written: readonly RawAttribute[]
  /** The same for an element that has no other attributes. */
  readonly tag: TagAttributes
  /** The scope that was opened last inside this one. */
  last: Scope | undefined
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

/** The attributes of a tag. */
export interface TagAttributes {
  readonly attributes: readonly XmlAttribute[]
  readonly declarations: readonly XmlAttribute[]
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = Object.freeze([])
export const NO_TAG_ATTRIBUTES: TagAttributes = { attributes: NO_ATTRIBUTES, declarations: NO_ATTRIBUTES }

/**
 * Size of the names and declarations that are stored, in a document and from one to the next, about
 * bytes.
 */
const MAX_STORED = 262_144
const OBJECT_SIZE = 128

/**
 * Resolves the names of documents (Namespaces in XML 1.0). saxes can do the same, but looks up the
 * prefix of each element in all open elements. Messages have few different names: each is split
 * once, and looked up once per scope. Clients declare the same in each message: a scope with the
 * declarations of the one before is that scope.
 */
export class Namespaces {
  readonly #limits: MessageLimits
  readonly #document = createScope(undefined, 0, [], [])
  readonly #names = new Map<string, ResolvedName>()
  readonly #start: ResolvedName = { raw: '', prefix: '', local: '', uri: '', scope: this.#document, next: undefined }
  #stored = 0
  #last = this.#start
  #scope = this.#document

  constructor(limits: MessageLimits) {
    this.#limits = limits
    this.#document.bindings.set('', '').set('xml', XML)
  }

  /** Starts another document. */
  restart(): void {
    this.#last = this.#start
    this.#scope = this.#document
    if (this.#stored >= MAX_STORED) this.#forget()
  }

  /** Forgets what is stored. Open elements keep their names and scopes. */
  #forget(): void {
    this.#stored = 0
    this.#names.clear()
    this.#start.next = undefined
    this.#document.last = undefined
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
    if (raw.length > this.#limits.maxNameLength) throw longName(this.#limits)
    // A streamed message may be as long as it likes.
    if (this.#stored >= MAX_STORED) this.#forget()
    const copy = internName(raw)
    const { prefix, local } = splitName(copy)
    if (prefix === 'xmlns') throw malformed('an element has the prefix xmlns.')
    const uri = this.#find(prefix)
    const name = { raw: copy, prefix, local: internName(local), uri, scope: this.#scope, next: undefined }
    this.#names.set(copy, name)
    this.#stored += raw.length + OBJECT_SIZE
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
    const { last } = this.#scope
    const isSame = last !== undefined && last.depth === depth && declaresSame(last, raw)
    const scope = isSame ? last : this.#declare(raw, depth)
    if (scope !== undefined) this.#scope = scope
    const tag = scope?.tag ?? NO_TAG_ATTRIBUTES
    if (tag.declarations.length === raw.length) return tag
    return { attributes: this.#resolveAttributes(raw), declarations: tag.declarations }
  }

  #declare(raw: readonly RawAttribute[], depth: number): Scope | undefined {
    if (!raw.some(isDeclaration)) return undefined
    const written: RawAttribute[] = []
    const declarations: XmlAttribute[] = []
    for (const attribute of raw) {
      if (!isDeclaration(attribute)) continue
      const copy = { name: internName(attribute.name), value: internName(attribute.value) }
      written.push(copy)
      // They are shared by the elements of one message, and by those of the next one.
      declarations.push(Object.freeze(readDeclaration(copy)))
      this.#stored += copy.name.length + copy.value.length + OBJECT_SIZE
    }
    const scope = createScope(this.#scope, depth, written, Object.freeze(declarations))
    this.#scope.last = scope
    return scope
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

function createScope(
  outer: Scope | undefined,
  depth: number,
  written: readonly RawAttribute[],
  declarations: readonly XmlAttribute[],
): Scope {
  const bindings = new Map<string, string>()
  for (const { prefix, local, value } of declarations) bindings.set(prefix === '' ? '' : local, value)
  return { outer, bindings, depth, written, tag: { attributes: NO_ATTRIBUTES, declarations }, last: undefined }
}

/** Whether the declarations among some attributes are those of a scope, in the same order. */
function declaresSame({ written }: Scope, raw: readonly RawAttribute[]): boolean {
  let count = 0
  for (const attribute of raw) {
    const other = written[count]
    // Every declaration counts: one that is not the next of the scope is another one.
    if (other !== undefined && other.name === attribute.name && other.value === attribute.value) count++
    else if (isDeclaration(attribute)) return false
  }
  return count === written.length
}

function isDeclaration({ name }: RawAttribute): boolean {
  return name.startsWith('xmlns') && (name.length === 5 || name.charCodeAt(5) === 0x3a)
}

/** Returns the fault for a name that is too long. */
export function longName({ maxNameLength }: MessageLimits): SoapFault {
  return limitFault(`A name is longer than ${maxNameLength} characters.`)
}

/**
 * Reads `xmlns` or `xmlns:*` (Namespaces in XML 1.0 §3). Its value is not trimmed: no reader does.
 */
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

/**
 * saxes accepts `p:1` as a name, since `:` and digits may be inside one (Namespaces in XML 1.0 §4).
 */
function startsName(local: string): boolean {
  const char = local.charCodeAt(0)
  const isDigit = char >= 0x30 && char <= 0x39
  return local !== '' && !isDigit && char !== 0x2d && char !== 0x2e && char !== 0xb7
}
