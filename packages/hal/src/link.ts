/** A Link Object with its eight members (draft-kelly-json-hal-11, section 5). */
export interface HalLink {
  /** A URI, or a URI template when `templated` is true. */
  href: string
  /** `href` is a URI template (RFC 6570); absent where it is a URI. */
  templated?: true
  /** Media type that the target is likely to have. */
  type?: string
  /** URL of a page that tells about the end of this link; clients should warn. */
  deprecation?: string
  /** Second key, where a relation has several links. */
  name?: string
  /** URI of a profile of the target. */
  profile?: string
  /** Label for people. */
  title?: string
  /** Language of the target. */
  hreflang?: string
}

/** Where a link leads: a path from the root, an absolute http(s) URL, or either with members. Nothing: no link. */
export type LinkTarget = string | (Omit<HalLink, 'templated'> & { templated?: boolean }) | null | undefined | false
