import { assertKnownOptions, assertTypes, inspectValue } from '../../internal/options.ts'
import { compileEmbed, writeCuries } from './compile-embed.ts'
import { type CompiledLink, compileLink } from './compile-link.ts'
import { compileCuries } from './curies.ts'
import type {
  AnyEmbed,
  ContextArgument,
  EmbedDefinition,
  FormsDocument,
  HalDocument,
  LinkEntry,
  RenderContext,
  ResourceDefinition,
  ResourceLinks,
} from './definition.ts'
import { compileForm } from './form.ts'
import { checkBase } from './href.ts'
import { type CompiledForm, createRenderer, RENDERER, type Renderer } from './renderer.ts'

/** A resource, compiled from its definition. */
export interface Resource<T, C extends RenderContext = RenderContext, L = unknown, E = unknown, S = T> {
  /** Name of one item, in errors and in XML. */
  readonly name: string
  /** Name of a list of items. */
  readonly collection: string
  /** Returns the URL of an item, for `Location` and `Content-Location`. */
  self(item: T, ...context: ContextArgument<C>): string
  /** Returns the links of an item, by its state and the user. */
  links(item: T, ...context: ContextArgument<C>): ResourceLinks<L>
  /** Returns the item as a HAL document, a new object. */
  render(item: T, ...context: ContextArgument<C>): HalDocument<S, L, E>
  /** Returns the HAL document with `_templates`, for `application/prs.hal-forms+json`. */
  forms(item: T, ...context: ContextArgument<C>): FormsDocument<S, L, E>
  /** Returns the JSON of {@link Resource.render}, without building the object. */
  stringify(item: T, ...context: ContextArgument<C>): string
}

const OPTIONS = ['self', 'links', 'embeds', 'curies', 'form', 'state', 'collection', 'allowedHosts']
const TYPES = { links: 'object', embeds: 'object', form: 'object', state: 'function', collection: 'string' } as const
const RESERVED = ['self', 'curies', '__proto__']

/**
 * Defines a resource: its URL, its links by state and user, and its embedded resources. Throws a
 * `TypeError` that names the relation if the definition is invalid.
 *
 * @example
 * const order = resource('order', {
 *   self: '/orders/{id}',
 *   links: { cancel: { href: '/orders/{id}/cancellation', when: (order) => order.status === 'PAID'
 * } },
 * })
 */
export function resource<
  T extends object = Record<string, unknown>,
  C extends RenderContext = RenderContext,
  const L extends Record<string, LinkEntry<T, C>> = Record<string, LinkEntry<T, C>>,
  const E extends Record<string, AnyEmbed<T, C>> = Record<string, AnyEmbed<T, C>>,
>(name: string, definition: ResourceDefinition<T, C, L, E> & { state?: undefined }): Resource<T, C, L, E>
/** The same with `state`: documents have the properties that it returns. */
export function resource<
  T extends object = Record<string, unknown>,
  C extends RenderContext = RenderContext,
  const L extends Record<string, LinkEntry<T, C>> = Record<string, LinkEntry<T, C>>,
  const E extends Record<string, AnyEmbed<T, C>> = Record<string, AnyEmbed<T, C>>,
  S extends object = object,
>(name: string, definition: ResourceDefinition<T, C, L, E, S>): Resource<T, C, L, E, S>
export function resource<
  T extends object,
  C extends RenderContext,
  const L extends Record<string, LinkEntry<T, C>>,
  const E extends Record<string, AnyEmbed<T, C>>,
>(name: string, definition: ResourceDefinition<T, C, L, E>): Resource<T, C, L, E> {
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`hal: name of a resource must be a non-empty string, got ${inspectValue(name)}`)
  assertKnownOptions(`hal: ${name}`, definition, OPTIONS)
  assertTypes(`hal: ${name}`, definition, TYPES)
  const renderer = compile<T, C, L, E>(name, definition)
  const curies = writeCuries(renderer.curies)
  const noContext = {} as C
  const resource = {
    name,
    collection: definition.collection ?? `${name}s`,
    self: (item: T, context = noContext) => renderer.self(item, context, resolveBase(context)).href,
    links: (item: T, context = noContext) => renderer.links(item, context, resolveBase(context)),
    render: (item: T, context = noContext) => renderer.read(item, context, resolveBase(context), renderer.curies),
    forms: (item: T, context = noContext) => {
      const base = resolveBase(context)
      const document = renderer.read(item, context, base, renderer.curies)
      return { ...document, _templates: renderer.templates(item, context, base) }
    },
    stringify: (item: T, context = noContext) => renderer.write(item, context, resolveBase(context), curies),
    [RENDERER]: renderer,
  }
  return resource as unknown as Resource<T, C, L, E>
}

/** Returns the checked base of a context. */
export function resolveBase({ base = '' }: RenderContext): string {
  return base === '' ? base : checkBase(base)
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
    forms: [...compileDefaultForm(name, self, definition.form), ...compileForms(name, entries, links)],
    state: definition.state,
  })
}

function compileDefaultForm<T, C>(
  name: string,
  self: CompiledLink<T, C>,
  definition: ResourceDefinition<T, C, unknown, unknown>['form'],
): CompiledForm<T, C>[] {
  if (!definition) return []
  const where = `hal: form of ${name}`
  assertTypes(where, definition, { when: 'function' })
  const { when, ...form } = definition
  return [{ name: 'default', link: self, fill: compileForm(where, form), when }]
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
    if (entry.many || entry.templated) throw new TypeError(`${where}: the link must not be many or templated`)
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
      throw new TypeError(
        `hal: relations of ${owner} must not be empty, reserved or contain spaces, got ${inspectValue(relation)}`,
      )
    }
  }
  return Object.entries(record)
}
