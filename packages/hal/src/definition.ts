import type { FormDefinition, FormTemplate } from './form.ts'
import type { HalLink, LinkTarget } from './link.ts'

/** What a rendering is told beside the item: extend it with whatever `when` and `href` of your links ask for. */
export interface RenderContext {
  /**
   * What stands before every path: `''`, a prefix such as `/v1`, or the public URL of the service. Take it from the
   * configuration, never from the Host of a request. @defaultValue ''
   */
  base?: string
}

/** A link of a definition: a template, a function, or both with conditions and members. */
export type LinkEntry<T, C> =
  | string
  | ((item: T, context: C) => LinkTarget | readonly LinkTarget[])
  | LinkDefinition<T, C>

/** One relation of a resource: where it leads, and when it is there. */
export interface LinkDefinition<T, C> {
  /**
   * A URI template filled from the item (`/orders/{id}/invoice`), or a function. Where a variable of the path is
   * absent, or the function gives nothing, the link is left out. What a function gives is a path from the root, an
   * absolute http(s) URL, or an object `{ href, title… }`.
   */
  href: string | ((item: T, context: C) => LinkTarget | readonly LinkTarget[])
  /**
   * Asked on every rendering whether the item is in a state, and the caller in a position, to follow the link.
   * @defaultValue always
   */
  when?: (item: T, context: C) => boolean
  /** The relation is always an array, also of one link. Without it, an array is refused. @defaultValue false */
  many?: boolean
  /** The template is for the client to fill and is sent as it stands. @defaultValue false */
  templated?: boolean
  /** What to send along the link: shown to clients that ask for HAL-FORMS. */
  form?: FormDefinition<T, C>
  /** Label for people; a function where it depends on the item. */
  title?: string | ((item: T, context: C) => string | undefined)
  /** Media type that the target is likely to have. */
  type?: string
  /** URL of a page that tells about the end of this link. */
  deprecation?: string
  /** Second key, where a relation has several links. */
  name?: string
  /** URI of a profile of the target. */
  profile?: string
  /** Language of the target. */
  hreflang?: string
}

/** How resources inside another one are found and rendered. */
export interface EmbedDefinition<T, C, R> {
  /** How the embedded items are rendered. */
  resource: { render(item: ElementOf<R>, context: C): object }
  /** Gives the items. Nothing: the relation is left out. */
  from: (item: T, context: C) => R
  /** The relation is always an array, also of one item and of none. Without it, it is always one object. */
  many?: boolean
}

/** The prefix of a compact relation name and where its documentation is. */
export interface Curie {
  /** The prefix: `acme` in `acme:invoice`. */
  name: string
  /** A URI template with the variable `rel`: sent as it stands, without the base. */
  href: string
}

/** What `resource` compiles: where an item is, what it links to, what it contains. */
export interface ResourceDefinition<T, C, L, E> {
  /** Where the item itself is: `/orders/{id}`, or a function. */
  self: string | ((item: T, context: C) => LinkTarget)
  /** The other links by relation, in the order in which they are rendered. */
  links?: L
  /** The resources inside, by relation: `{ resource, from, many }`. */
  embeds?: { [K in keyof E]: EmbedDefinition<T, C, E[K]> }
  /**
   * Prefixes for relation names of your own: `{ name: 'acme', href: 'https://docs.example/{rel}' }`. Inside of another
   * resource only those are declared that it lacks.
   */
  curies?: readonly Curie[]
  /** The form that changes the item itself, `default` in HAL-FORMS. */
  template?: FormDefinition<T, C> & {
    /** Asked whether the caller may use the form, and the item is in a state for it. */
    when?: (item: T, context: C) => boolean
  }
  /** What of the item is shown. @defaultValue the whole item */
  state?: (item: T, context: C) => object
  /**
   * Which absolute links are let through. `'public'`: none to loopback, private addresses and local names, for items
   * that carry URLs of others. @defaultValue `'any'`
   */
  hosts?: 'any' | 'public'
  /** Name of the list of such items, in `_embedded` and in XML. @defaultValue the name with an s */
  collection?: string
}

/** The elements of a list; anything else is its own element. */
export type ElementOf<R> = R extends readonly (infer U)[] ? U : Exclude<R, null | undefined | false>

/** The links of a rendered resource: `self` always, the others where they apply. */
export type LinksOf<L> = {
  /** Where the resource itself is. */
  self: HalLink
  /** Where the prefixes of relation names are documented. */
  curies?: HalLink[]
} & {
  [K in keyof L]?: L[K] extends { many: true } ? HalLink[] : HalLink
}

type EmbeddedOf<R> = R extends readonly (infer U)[]
  ? HalDocument<U>[]
  : HalDocument<Exclude<R, null | undefined | false>>

/** A rendered resource: the state with `_links`, and `_embedded` where the definition has embeds. */
export type HalDocument<T, L = unknown, E = unknown> = T & {
  /** The links by relation. */
  _links: LinksOf<L>
  /** The resources inside, by relation. */
  _embedded?: unknown extends E ? Record<string, unknown> : { [K in keyof E]?: EmbeddedOf<E[K]> }
}

/** A rendered resource with its forms. */
export type FormsDocument<T, L = unknown, E = unknown> = HalDocument<T, L, E> & {
  /** The forms by name; the one that changes the resource itself is `default`. */
  _templates: Record<string, FormTemplate>
}

/** The argument `context` may be left out where nothing in it is required. */
export type ContextArgument<C> = object extends C ? [context?: C] : [context: C]
