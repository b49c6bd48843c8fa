import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { compileEmbed, writeCuries } from './compile-embed.ts'
import { type CompiledLink, compileLink } from './compile-link.ts'
import { compileCuries } from './curies.ts'
import type {
  ContextArgument,
  EmbedDefinition,
  FormsDocument,
  HalDocument,
  LinkEntry,
  LinksOf,
  RenderContext,
  ResourceDefinition,
} from './definition.ts'
import { compileForm } from './form.ts'
import { checkBase } from './href.ts'
import { type CompiledForm, createRenderer, RENDERER, type Renderer } from './renderer.ts'

/** A kind of item and its links, compiled once. */
export interface Resource<T, C extends RenderContext = RenderContext, L = unknown, E = unknown> {
  /** Name of one such item, in errors and in XML. */
  readonly name: string
  /** Name of a list of such items. */
  readonly collection: string
  /** The URL of an item, for `Location` and `Content-Location`. */
  self(item: T, ...context: ContextArgument<C>): string
  /** The links of an item, in its state, for this caller. */
  links(item: T, ...context: ContextArgument<C>): LinksOf<L>
  /** The item as a HAL document: a new object, the item stays as it is. */
  render(item: T, ...context: ContextArgument<C>): HalDocument<T, L, E>
  /** The same with `_templates`, only for `application/prs.hal-forms+json`. */
  forms(item: T, ...context: ContextArgument<C>): FormsDocument<T, L, E>
  /** The JSON text of {@link Resource.render}, made without the objects in between. */
  stringify(item: T, ...context: ContextArgument<C>): string
}

const OPTIONS = ['self', 'links', 'embeds', 'curies', 'template', 'state', 'collection', 'allowedHosts']
const RESERVED = ['self', 'curies', '__proto__']

/**
 * Defines a kind of item: where it is, which links it has in which state and for whom, and what is
 * embedded. Throws a TypeError that names the relation for what can never work.
 */
export function resource<
  T extends object = Record<string, unknown>,
  C extends RenderContext = RenderContext,
  const L extends Record<string, LinkEntry<T, C>> = Record<string, LinkEntry<T, C>>,
  E = unknown,
>(name: string, definition: ResourceDefinition<T, C, L, E>): Resource<T, C, L, E> {
  assertKnownOptions(`hal: ${name}`, definition, OPTIONS)
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`hal: a resource needs a name, got ${inspectValue(name)}`)
  const renderer = compile<T, C, L, E>(name, definition)
  const curies = writeCuries(renderer.curies)
  const none = {} as C
  const resource = {
    name,
    collection: definition.collection ?? `${name}s`,
    self: (item: T, context = none) => renderer.links(item, context, resolveBase(context)).self.href,
    links: (item: T, context = none) => renderer.links(item, context, resolveBase(context)),
    render: (item: T, context = none) => renderer.read(item, context, resolveBase(context), renderer.curies),
    forms: (item: T, context = none) => {
      const base = resolveBase(context)
      const document = renderer.read(item, context, base, renderer.curies)
      return { ...document, _templates: renderer.templates(item, context, base) }
    },
    stringify: (item: T, context = none) => renderer.write(item, context, resolveBase(context), curies),
    [RENDERER]: renderer,
  }
  return resource as unknown as Resource<T, C, L, E>
}

/** The checked base of a context. */
export function resolveBase(context: RenderContext): string {
  return context.base === undefined ? '' : checkBase(context.base)
}

function compile<T, C, L extends Record<string, LinkEntry<T, C>>, E>(
  name: string,
  definition: ResourceDefinition<T, C, L, E>,
): Renderer<T, C> {
  const curies = compileCuries(name, definition.curies ?? [])
  const { allowedHosts = 'any' } = definition
  if (allowedHosts !== 'any' && allowedHosts !== 'public') {
    throw new TypeError(`hal: allowedHosts of ${name} must be 'any' or 'public', got ${inspectValue(allowedHosts)}`)
  }
  const self = compileLink(name, 'self', definition.self, allowedHosts)
  const entries = listRelations(name, definition.links ?? {})
  const links = entries.map(([relation, entry]) => compileLink(name, relation, entry, allowedHosts))
  const embeds = listRelations(name, (definition.embeds ?? {}) as Record<string, EmbedDefinition<T, C, unknown>>)
  return createRenderer({
    name,
    self,
    links,
    embeds: embeds.map(([relation, embed]) => compileEmbed(name, relation, embed, curies)),
    curies,
    forms: [...defaultForm(name, self, definition.template), ...compileForms(name, entries, links)],
    state: definition.state,
  })
}

function defaultForm<T, C>(
  name: string,
  self: CompiledLink<T, C>,
  template: ResourceDefinition<T, C, unknown, unknown>['template'],
): CompiledForm<T, C>[] {
  if (!template) return []
  const { when, ...form } = template
  return [{ name: 'default', link: self, fill: compileForm(`hal: template of ${name}`, form), when }]
}

function compileForms<T, C>(
  owner: string,
  entries: readonly (readonly [string, LinkEntry<T, C>])[],
  links: readonly CompiledLink<T, C>[],
): CompiledForm<T, C>[] {
  return links.flatMap((link, index) => {
    const entry = entries[index]?.[1]
    if (typeof entry !== 'object' || !entry.form) return []
    const where = `hal: form of link "${link.relation}" of ${owner}`
    if (entry.many || entry.templated) throw new TypeError(`${where} needs one URL, not several and no template`)
    return [{ name: link.relation, link, fill: compileForm(where, entry.form), when: undefined }]
  })
}

/**
 * Returns the entries of an object of relations. Throws a `TypeError` for a name that is not a
 * relation.
 */
export function listRelations<V>(
  owner: string,
  record: { readonly [relation: string]: V },
  reserved: readonly string[] = RESERVED,
): [string, V][] {
  for (const relation of Object.keys(record)) {
    if (relation === '' || /\s/.test(relation) || reserved.includes(relation)) {
      throw new TypeError(`hal: ${inspectValue(relation)} cannot be a relation of ${owner}`)
    }
  }
  return Object.entries(record)
}
