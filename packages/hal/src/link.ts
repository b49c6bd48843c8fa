/** A Link Object with its eight properties (draft-kelly-json-hal-11 §5). */
export interface HalLink {
  /** A URI, or a URI template if `templated` is true. */
  href: string
  /** Whether `href` is a URI template (RFC 6570). */
  templated?: true
  /** Expected media type of the target. */
  type?: string
  /** URL of a page about the deprecation of this link; clients should warn. */
  deprecation?: string
  /** Secondary key for a relation with several links. */
  name?: string
  /** URI of a profile of the target. */
  profile?: string
  /** Human-readable label. */
  title?: string
  /** Language of the target. */
  hreflang?: string
}

/**
 * Target of a link: a path from the root, an absolute http(s) URL, or an object with one.
 * `undefined`, `null` and `false` omit the link. A URL with braces is a URI template, unless
 * `templated` is false: then they are percent-encoded.
 */
export type LinkTarget = string | (Omit<HalLink, 'templated'> & { templated?: boolean }) | null | undefined | false
