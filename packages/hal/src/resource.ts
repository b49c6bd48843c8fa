import { refuseUnknown, shown } from '../../internal/options.ts'
import { compileEmbed, writeCuries } from './compile-embed.ts'
import { compileLink } from './compile-link.ts'
import { compileCuries } from './curies.ts'
import type {
  ContextArgument,
  EmbedDefinition,
  HalDocument,
  LinkEntry,
  LinksOf,
  RenderContext,
  ResourceDefinition,
} from './definition.ts'
import { checkBase } from './href.ts'
import { createRenderer, RENDERER, type Renderer } from './renderer.ts'

/** A kind of item and its links, compiled once. */
export interface Resource<T, C extends RenderContext = RenderContext, L = unknown, E = unknown> {
  readonly name: string
  /** Name of a list of such items. */
  readonly collection: string
  /** The URL of an item, for `Location` and `Content-Location`. */
  self(item: T, ...context: ContextArgument<C>): string
  /** The links of an item, in its state, for this caller. */
  links(item: T, ...context: ContextArgument<C>): LinksOf<L>
  /** The item as a HAL document: a new object, the item stays as it is. */
  render(item: T, ...context: ContextArgument<C>): HalDocument<T, L, E>
  /** The JSON text of {@link Resource.render}, made without the objects in between. */
  stringify(item: T, ...context: ContextArgument<C>): string
}

const OPTIONS = ['self', 'links', 'embeds', 'curies', 'state', 'collection']
const RESERVED = ['self', 'curies', '__proto__']

/**
 * Defines a kind of item: where it is, which links it has in which state and for whom, and what is embedded.
 * Throws a TypeError that names the relation for what can never work.
 */
export function resource<
  T extends object,
  C extends RenderContext = RenderContext,
  const L extends Record<string, LinkEntry<T, C>> = Record<string, LinkEntry<T, C>>,
  E = unknown,
>(name: string, definition: ResourceDefinition<T, C, L, E>): Resource<T, C, L, E> {
  refuseUnknown(`hal: ${name}`, definition, OPTIONS)
  if (typeof name !== 'string' || name === '') throw new TypeError(`hal: a resource needs a name, got ${shown(name)}`)
  const renderer = compile<T, C, L, E>(name, definition)
  const curies = writeCuries(renderer.curies)
  const none = {} as C
  const resource = {
    name,
    collection: definition.collection ?? `${name}s`,
    self: (item: T, context = none) => renderer.links(item, context, baseOf(context)).self.href,
    links: (item: T, context = none) => renderer.links(item, context, baseOf(context)),
    render: (item: T, context = none) => renderer.read(item, context, baseOf(context), renderer.curies),
    stringify: (item: T, context = none) => renderer.write(item, context, baseOf(context), curies),
    [RENDERER]: renderer,
  }
  return resource as unknown as Resource<T, C, L, E>
}

/** The checked base of a context. */
export function baseOf(context: RenderContext): string {
  return context.base === undefined ? '' : checkBase(context.base)
}

function compile<T, C, L extends Record<string, LinkEntry<T, C>>, E>(
  name: string,
  { self, links, embeds, curies, state }: ResourceDefinition<T, C, L, E>,
): Renderer<T, C> {
  const declared = compileCuries(name, curies ?? [])
  return createRenderer({
    name,
    self: compileLink(name, 'self', self),
    links: relationsOf(name, links ?? {}).map(([relation, entry]) => compileLink(name, relation, entry)),
    embeds: relationsOf(name, (embeds ?? {}) as Record<string, EmbedDefinition<T, C, unknown>>).map(
      ([relation, embed]) => compileEmbed(name, relation, embed, declared),
    ),
    curies: declared,
    state,
  })
}

function relationsOf<V>(owner: string, record: { readonly [relation: string]: V }): [string, V][] {
  for (const relation of Object.keys(record)) {
    if (relation === '' || /\s/.test(relation) || RESERVED.includes(relation)) {
      throw new TypeError(`hal: ${shown(relation)} cannot be a relation of ${owner}`)
    }
  }
  return Object.entries(record)
}
