import { inspectValue } from '../../internal/options.ts'
import type { CompiledLink } from './compile-link.ts'
import type { FillForm, FormTemplate } from './form.ts'
import type { HalLink } from './link.ts'
import { joinLinks } from './write-links.ts'

/** Renders a resource as an object or as JSON, with the same result. */
export interface Renderer<T, C> {
  readonly curies: readonly HalLink[]
  self(item: T, context: C, base: string): HalLink
  links(item: T, context: C, base: string): Links
  read(item: T, context: C, base: string, curies: readonly HalLink[]): object
  /** Returns `start` and the JSON of an item: a text grows faster at its end. */
  write(item: T, context: C, base: string, curies: string, start?: string): string
  templates(item: T, context: C, base: string): Templates
}

export type Links = { self: HalLink } & Record<string, HalLink | HalLink[]>

type Templates = Record<string, FormTemplate>

/**
 * The property of a resource with its renderer, for embeds and pages. In the global registry, so
 * that the ESM and CommonJS builds can be mixed.
 */
export const RENDERER = Symbol.for('svc.hal.renderer')

/** A compiled embed. Both ways of rendering return the same document. */
export interface CompiledEmbed<T, C> {
  relation: string
  read(item: T, context: C, base: string): object | object[] | undefined
  /** Returns the property of a JSON object, or `''` if there is no value. */
  write(item: T, context: C, base: string): string
}

/** A form with the link that it belongs to. */
export interface CompiledForm<T, C> {
  name: string
  link: CompiledLink<T, C>
  fill: FillForm<T, C>
  when: ((item: T, context: C) => boolean) | undefined
}

export interface RendererParts<T, C> {
  name: string
  self: CompiledLink<T, C>
  links: readonly CompiledLink<T, C>[]
  embeds: readonly CompiledEmbed<T, C>[]
  curies: readonly HalLink[]
  forms: readonly CompiledForm<T, C>[]
  state: ((item: T, context: C) => object) | undefined
}

/** Combines the compiled parts of a definition. */
export function createRenderer<T, C>(parts: RendererParts<T, C>): Renderer<T, C> {
  const { name, embeds, curies } = parts
  const getState = parts.state ?? ((item: T) => item as object)
  const writeLinks = joinLinks([parts.self, ...parts.links], embeds.length === 0 ? '}}' : '}')
  const self = (item: T, context: C, base: string): HalLink => {
    const link = parts.self.read(item, context, base)
    if (link === undefined || Array.isArray(link)) throw createSelfError(name)
    return link
  }
  const links = (item: T, context: C, base: string): Links => {
    const all: Links = { self: self(item, context, base) }
    for (const link of parts.links) {
      const value = link.read(item, context, base)
      if (value !== undefined) all[link.relation] = value
    }
    return all
  }
  return {
    curies,
    self,
    links,
    templates: (item, context, base) => readTemplates(parts, item, context, base),
    read(item, context, base, outer) {
      const state = toState(name, getState(item, context))
      const _links = links(item, context, base)
      const document = { ...state, _links: outer.length > 0 ? { curies: outer, ..._links } : _links }
      if (embeds.length === 0) return document
      const entries = embeds.map((embed) => [embed.relation, embed.read(item, context, base)] as const)
      return { ...document, _embedded: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
    },
    write(item, context, base, outer, start = '') {
      const state = JSON.stringify(toState(name, getState(item, context)))
      if (state?.charCodeAt(0) !== OPEN) throw createStateError(name, item)
      // JSON.stringify serializes any state; the links are inserted before its closing brace.
      const open = state.length === 2 ? `${start}{"_links":{` : `${start}${state.slice(0, -1)},"_links":{`
      const text = writeLinks(item, context, base, open + outer)
      if (text === '') throw createSelfError(name)
      if (embeds.length === 0) return text
      const members = embeds.map((embed) => embed.write(item, context, base)).filter((member) => member !== '')
      return `${text},"_embedded":{${members.join()}}}`
    },
  }
}

function readTemplates<T, C>({ forms }: RendererParts<T, C>, item: T, context: C, base: string): Templates {
  const templates: Templates = {}
  for (const { name, link, fill, when } of forms) {
    if (when !== undefined && !when(item, context)) continue
    const target = link.read(item, context, base)
    if (target && !Array.isArray(target) && !target.templated) templates[name] = fill(item, context, target.href)
  }
  return templates
}

const OPEN = 0x7b

/**
 * Returns the properties that JSON.stringify would see, without those of HAL, which a document that
 * a client sends back may contain.
 */
export function toState(name: string, state: unknown): object {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) throw createStateError(name, state)
  const { toJSON, _links, _embedded, _templates } = state as Record<string, unknown>
  if (typeof toJSON !== 'function') {
    const isClean = _links === undefined && _embedded === undefined && _templates === undefined
    return isClean ? state : omitReserved(state)
  }
  const serialized: unknown = toJSON.call(state, '')
  if (typeof serialized !== 'object' || serialized === null || Array.isArray(serialized))
    throw createStateError(name, serialized)
  return omitReserved(serialized)
}

function omitReserved(state: object): object {
  const { _links, _embedded, _templates, toJSON, ...rest } = state as Record<string, unknown>
  return typeof toJSON === 'function' || toJSON === undefined ? rest : { ...rest, toJSON }
}

function createSelfError(name: string): TypeError {
  return new TypeError(`hal: ${name} must have a self link, but its template or function returned nothing for an item`)
}

function createStateError(name: string, state: unknown): TypeError {
  return new TypeError(`hal: the state of ${name} must be an object, got ${inspectValue(state)}`)
}
