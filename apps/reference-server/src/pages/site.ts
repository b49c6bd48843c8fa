/** What the pages know about the service as a whole. */
export interface Site {
  /** `''`: the host of each request. */
  publicUrl: string
  /** Whether there are demo users, playgrounds and a request log. */
  isDemo: boolean
}
