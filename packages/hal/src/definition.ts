import type { FormDefinition, FormTemplate } from './form.ts'
import type { HalLink, LinkTarget } from './link.ts'

/** Context of a rendering. Extend it with the values that `when` and `href` of your links use. */
export interface RenderContext {
  /**
   * Prefix of every path: `''`, a path such as `/v1`, or the public URL of the API. Take it from
   * the configuration, never from the Host header of a request.
   * @defaultValue ''
   */
  base?: string
}

/** A link of a definition: a template, a function, or an object with conditions and properties. */
export type LinkEntry<T, C> =
  | string
  | ((item: T, context: C) => LinkTarget | readonly LinkTarget[])
  | LinkDefinition<T, C>

/** A relation of a resource. */
export interface LinkDefinition<T, C> {
  /**
   * A URI template that is expanded with the item (`/orders/{id}/invoice`), or a function that
   * returns a path from the root, an absolute http(s) URL, or an object `{ href, title… }`. The
   * link is omitted if a variable of the path is absent, or if the function returns nothing.
   */
  href: string | ((item: T, context: C) => LinkTarget | readonly LinkTarget[])
  /**
   * Called for every rendering. Returns whether the state of the item and the rights of the user
   * allow the link.
   * @defaultValue always
   */
  when?: (item: T, context: C) => boolean
  /** Whether the relation is always an array. If not, an array throws. @defaultValue false */
  many?: boolean
  /** Whether the template is sent unchanged, for clients to expand. @defaultValue false */
  templated?: boolean
  /** The form of the link, for clients that request HAL-FORMS. */
  form?: FormDefinition<T, C>
  /** Human-readable label, or a function that returns one for the item. */
  title?: string | ((item: T, context: C) => string | undefined)
  /** Expected media type of the target. */
  type?: string
  /** URL of a page about the deprecation of this link. */
  deprecation?: string
  /** Secondary key for a relation with several links. */
  name?: string
  /** URI of a profile of the target. */
  profile?: string
  /** Language of the target. */
  hreflang?: string
}

/** An embedded relation of a resource. */
export interface EmbedDefinition<T, C, R> {
  /** The resource that renders the embedded items. */
  resource: { render(item: EmbeddedItem<R>, context: C): object }
  /** Returns the item or items; the relation is omitted if it returns nothing. */
  from: (item: T, context: C) => R
  /**
   * Whether the relation is always an array. If not, it is always one object.
   * @defaultValue false
   */
  many?: boolean
}

/** The prefix of a compact relation name and the template of its documentation. */
export interface Curie {
  /** The prefix: `acme` in `acme:invoice`. */
  name: string
  /** A URI template with the variable `rel`, sent unchanged and without the base. */
  href: string
}

/** Definition for `resource()`. */
export interface ResourceDefinition<T, C, L, E, S = object> {
  /** The URL of the item itself: `/orders/{id}`, or a function. */
  self: string | ((item: T, context: C) => LinkTarget)
  /** The other links by relation, in rendering order. */
  links?: L
  /** The embedded resources by relation: `{ resource, from, many }`. */
  embeds?: EmbedDefinitions<T, C, E>
  /**
   * Prefixes of custom relation names: `{ name: 'acme', href: 'https://docs.example/{rel}' }`. An
   * embedded resource declares only those that the outer one does not have.
   */
  curies?: readonly Curie[]
  /** The form that changes the item, `default` in HAL-FORMS. */
  form?: FormDefinition<T, C> & {
    /**
     * Returns whether the state of the item and the rights of the user allow the form.
     * @defaultValue always
     */
    when?: (item: T, context: C) => boolean
  }
  /** Returns the properties of the item to render. @defaultValue the whole item */
  state?: (item: T, context: C) => S
  /**
   * Hosts of absolute links. `'public'` rejects loopback, private addresses and local names, for
   * items with URLs that users entered.
   * @defaultValue 'any'
   */
  allowedHosts?: 'any' | 'public'
  /** Name of a list of these items, in `_embedded` and in XML. @defaultValue the name with an s */
  collection?: string
}

/** An embed with a resource of any items. */
export interface AnyEmbed<T, C> extends Omit<EmbedDefinition<T, C, unknown>, 'resource'> {
  /** The resource that renders the embedded items. */
  resource: object
}

/** Embeds by relation, each with a resource that renders what its `from` returns. */
export type EmbedDefinitions<T, C, E> = E & {
  [K in keyof E]: Pick<EmbedDefinition<T, C, EmbeddedValue<E[K]>>, 'resource'>
}

/** The result of `from` of an embed. */
type EmbeddedValue<D> = D extends { from: (...args: never) => infer R } ? R : unknown

/** The item type of a list; any other type is its own item type. */
export type EmbeddedItem<R> = R extends readonly (infer U)[] ? U : Exclude<R, null | undefined | false>

/** The links of a rendered resource: always `self`, and the others if their conditions hold. */
export type ResourceLinks<L> = {
  /** Link to the resource itself. */
  self: HalLink
  /** Documentation of the prefixes of relation names. */
  curies?: HalLink[]
} & {
  [K in keyof L]?: L[K] extends { many: true } ? HalLink[] : HalLink
}

type EmbeddedDocuments<D> = D extends { resource: { render(...args: never): infer Document } }
  ? D extends { many: true }
    ? Document[]
    : Document
  : unknown

/**
 * A rendered resource: the state with `_links`, and with `_embedded` if the definition has embeds.
 * `L` and `E` are the links and the embeds of the definition.
 */
export type HalDocument<T, L = unknown, E = unknown> = T & {
  /** The links by relation. */
  _links: ResourceLinks<L>
  /** The embedded resources by relation. */
  _embedded?: string extends keyof E ? Record<string, unknown> : { [K in keyof E]?: EmbeddedDocuments<E[K]> }
}

/** A rendered resource with its forms. */
export type FormsDocument<T, L = unknown, E = unknown> = HalDocument<T, L, E> & {
  /** The forms by name; the one that changes the resource itself is `default`. */
  _templates: Record<string, FormTemplate>
}

/** The argument `context` may be omitted if no property of it is required. */
export type ContextArgument<C> = object extends C ? [context?: C] : [context: C]
