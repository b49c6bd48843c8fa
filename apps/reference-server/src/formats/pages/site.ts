import type { DemoUser } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'

/** What the pages know about the service as a whole. */
export interface Site {
  /** `''`: the host of each request. */
  publicUrl: string
  /** API versions, oldest first. */
  versions: readonly string[]
  /** Users with public passwords, for everyone to try. */
  users: readonly DemoUser[]
  /** What extensions add to the pages of the service. */
  additions: readonly SiteAdditions[]
  /** The methods of what a link leads to, as `Allow` names them; none where it leads elsewhere. */
  methodsOf(href: string): readonly string[]
  /** Whether GET answers a path without its version, or a template of one, to a caller with these scopes. */
  canGet(path: string, can: (scope: string) => boolean): boolean
}

/** A link with a label in every language. */
export interface SiteLink {
  href: string
  label(language: Language): string
}

/** What an extension adds to the pages of the service. */
export interface SiteAdditions {
  /** Links in the navigation of every page. */
  navigation?: readonly SiteLink[]
  /** Where packages can be seen in action, by the name of the package. */
  showcases?: Readonly<Record<string, readonly SiteLink[]>>
  /** Path that makes a browser ask for other credentials, `not` and `to` in its query. */
  loginPath?: string
  /** Returns the address of what is recorded about a request. */
  recordHref?(correlationId: string): string
  /** Returns what the first page says about this server now. */
  figures?(language: Language): readonly { label: string; value: string }[]
  /** Lines of `/llms.txt`. */
  outline?: readonly { path: string; name: string; says: string }[]
  /** Paths that crawlers stay away from. */
  unlisted?: readonly string[]
}
