import { shown } from '../../internal/options.ts'
import type { CompiledEmbed } from './compile-embed.ts'
import type { CompiledLink } from './compile-link.ts'
import type { HalLink } from './link.ts'

/** What a resource is inside: two ways of rendering that give the same document. */
export interface Renderer<T, C> {
  readonly curies: readonly HalLink[]
  links(item: T, context: C, base: string): Links
  read(item: T, context: C, base: string, curies: readonly HalLink[]): object
  write(item: T, context: C, base: string, curies: string): string
}

export type Links = { self: HalLink } & Record<string, HalLink | HalLink[]>

/** Under this key a resource keeps its renderer for embeds and pages; global, so that ESM and CJS builds mix. */
export const RENDERER = Symbol.for('svc.hal.renderer')

export interface RendererParts<T, C> {
  name: string
  self: CompiledLink<T, C>
  links: readonly CompiledLink<T, C>[]
  embeds: readonly CompiledEmbed<T, C>[]
  curies: readonly HalLink[]
  state: ((item: T, context: C) => object) | undefined
}

/** Puts the compiled parts of a definition together. */
export function createRenderer<T, C>(parts: RendererParts<T, C>): Renderer<T, C> {
  const { name, links, embeds, curies } = parts
  const stateOf = (item: T, context: C): object => plain(name, parts.state ? parts.state(item, context) : item)
  const selfOf = (item: T, context: C, base: string): HalLink => {
    const self = parts.self.read(item, context, base)
    if (self === undefined || Array.isArray(self)) throw noSelf(name)
    return self
  }
  const readLinks = (item: T, context: C, base: string): Links => {
    const found: Links = { self: selfOf(item, context, base) }
    for (const link of links) {
      const value = link.read(item, context, base)
      if (value !== undefined) found[link.relation] = value
    }
    return found
  }
  return {
    curies,
    links: readLinks,
    read(item, context, base, outer) {
      const state = stateOf(item, context)
      const _links = readLinks(item, context, base)
      const document = { ...state, _links: outer.length > 0 ? { curies: outer, ..._links } : _links }
      if (embeds.length === 0) return document
      const entries = embeds.map((embed) => [embed.relation, embed.read(item, context, base)] as const)
      return { ...document, _embedded: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
    },
    write(item, context, base, outer) {
      const state = JSON.stringify(stateOf(item, context))
      if (state?.charCodeAt(0) !== OPEN) throw notAnObject(name, item)
      let text = `${state.length === 2 ? '{' : `${state.slice(0, -1)},`}"_links":{${outer}`
      const self = parts.self.write(item, context, base)
      if (self === '') throw noSelf(name)
      text += self
      for (const link of links) {
        const member = link.write(item, context, base)
        if (member !== '') text += `,${member}`
      }
      if (embeds.length === 0) return `${text}}}`
      const members = embeds.map((embed) => embed.write(item, context, base)).filter((member) => member !== '')
      return `${text}},"_embedded":{${members.join()}}}`
    },
  }
}

const OPEN = 0x7b

/**
 * The members that JSON.stringify would see, without those that belong to the definition: a document that a client
 * sent back may bring them.
 */
function plain(name: string, state: unknown): object {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) throw notAnObject(name, state)
  if (!('toJSON' in state) || typeof state.toJSON !== 'function')
    return isReserved(state) ? withoutReserved(state) : state
  const seen: unknown = state.toJSON('')
  if (typeof seen !== 'object' || seen === null || Array.isArray(seen)) throw notAnObject(name, seen)
  return withoutReserved(seen)
}

function isReserved(state: object): boolean {
  return '_links' in state || '_embedded' in state || '_templates' in state
}

function withoutReserved(state: object): object {
  const { _links, _embedded, _templates, toJSON, ...rest } = state as Record<string, unknown>
  return typeof toJSON === 'function' || toJSON === undefined ? rest : { ...rest, toJSON }
}

function noSelf(name: string): TypeError {
  return new TypeError(`hal: ${name} has an item without a self link: its template or function gave nothing`)
}

function notAnObject(name: string, state: unknown): TypeError {
  return new TypeError(`hal: the state of ${name} must be an object, got ${shown(state)}`)
}
