import { trim, unquote } from '../../internal/list.ts'
import { createArgumentError } from '../../internal/options.ts'

/** A link of a `Link` header. */
export interface ParsedLink {
  /** The target, resolved if `base` is set. */
  href: string
  /** Relation types: names in lower case, URIs unchanged. */
  rels: string[]
  /** The context of the link. @defaultValue the requested resource */
  anchor?: string
  /** Human-readable label; `title*` takes precedence over `title`. */
  title?: string
  /** Expected media type of the target. */
  type?: string
  /** A media query for the target. */
  media?: string
  /** Languages of the target. */
  hreflang?: string[]
  /** All other parameters, by name in lower case. */
  others: Map<string, string>
}

/** Options for `parseLinkHeader()`. */
export interface ParseLinkHeaderOptions {
  /**
   * URL of the request, against which links and anchors are resolved.
   * @defaultValue links are not resolved
   */
  base?: string
  /** Maximum number of links; the rest is ignored. @defaultValue 100 */
  maxLinks?: number
}

const LESS = 0x3c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SEMICOLON = 0x3b

/**
 * Parses a `Link` header in one pass (RFC 8288 appendix B.2). Invalid links are skipped. If a
 * parameter that is allowed once (rel, title, type, media, anchor) is repeated, the first one
 * counts; `title*` overrides `title`.
 */
export function parseLinkHeader(header: string, { base, maxLinks = 100 }: ParseLinkHeaderOptions = {}): ParsedLink[] {
  if (typeof header !== 'string') throw createArgumentError('hal: parseLinkHeader', 'header', 'a string', header)
  const links: ParsedLink[] = []
  let index = 0
  while (index < header.length && links.length < maxLinks) {
    const char = header.charCodeAt(index)
    if (char !== LESS) {
      index = isSeparator(char) ? index + 1 : readItem(header, index).end
      continue
    }
    const close = header.indexOf('>', index)
    if (close === -1) break // no further link; searching again from each `<` would be quadratic
    const { parts, end } = readItem(header, close + 1)
    const link = toLink(header.slice(index + 1, close).trim(), parts, base)
    if (link.rels.length > 0) links.push(link)
    index = end
  }
  return links
}

/** Returns the parameters of an item, and its end: the next comma outside of quotes. */
function readItem(header: string, from: number): { parts: string[]; end: number } {
  const parts: string[] = []
  let start = from
  let quoted = false
  let index = from
  for (; index < header.length; index++) {
    const char = header.charCodeAt(index)
    if (quoted) {
      if (char === BACKSLASH) index++
      else if (char === QUOTE) quoted = false
    } else if (char === QUOTE) quoted = true
    else if (char === SEMICOLON) {
      parts.push(trim(header, start, index))
      start = index + 1
    } else if (char === COMMA) break
  }
  parts.push(trim(header, start, Math.min(index, header.length)))
  return { parts, end: index }
}

function toLink(target: string, parts: readonly string[], base: string | undefined): ParsedLink {
  const parameters = new Map<string, string>()
  const languages: string[] = []
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = trim(part, 0, equals === -1 ? part.length : equals).toLowerCase()
    const value = equals === -1 ? '' : unquote(trim(part, equals + 1, part.length))
    if (name === 'hreflang') languages.push(value)
    else if (name !== '' && !parameters.has(name)) parameters.set(name, value)
  }
  const { rel = '', anchor, type, media } = Object.fromEntries(parameters)
  const title = decodeExtended(parameters.get('title*')) ?? parameters.get('title')
  for (const name of ['rel', 'anchor', 'type', 'media', 'title', 'title*']) parameters.delete(name)
  return {
    href: resolve(target, base),
    rels: rel
      .split(/[ \t]+/)
      .filter((each) => each !== '')
      .map(normalizeRelation),
    ...(anchor !== undefined && { anchor: resolve(anchor, base) }),
    ...(title !== undefined && { title }),
    ...(type !== undefined && { type }),
    ...(media !== undefined && { media }),
    ...(languages.length > 0 && { hreflang: languages }),
    others: parameters,
  }
}

/** Relation names are compared without regard to case (RFC 8288 §2.1.1); URIs are not changed. */
function normalizeRelation(relation: string): string {
  return relation.includes(':') ? relation : relation.toLowerCase()
}

function resolve(reference: string, base: string | undefined): string {
  if (base === undefined || !URL.canParse(reference, base)) return reference
  return new URL(reference, base).href
}

/**
 * Parses `UTF-8'en'Gr%C3%B6%C3%9Fe` (RFC 8187 §3.2). Returns `undefined` for other charsets and
 * malformed bytes.
 */
function decodeExtended(value: string | undefined): string | undefined {
  const [charset, , encoded] = value?.split("'") ?? []
  if (charset?.toLowerCase() !== 'utf-8' || encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function isSeparator(char: number): boolean {
  return char === COMMA || char === 0x20 || char === 0x09
}
