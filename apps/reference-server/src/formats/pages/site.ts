/** What the pages know about the service as a whole. */
export interface Site {
  /** `''`: the host of each request. */
  publicUrl: string
  /** API versions, oldest first. */
  versions: readonly string[]
  /** Whether there are demo users, playgrounds and a request log. */
  isDemo: boolean
  /** The methods of what a link leads to, as `Allow` names them; none where it leads elsewhere. */
  methodsOf(href: string): readonly string[]
  /** Whether GET answers a path without its version, or a template of one, to a caller with these scopes. */
  canGet(path: string, can: (scope: string) => boolean): boolean
}
