/** The API versions of the service, oldest first. */
export const VERSIONS = ['1', '2'] as const

export type VersionName = (typeof VERSIONS)[number]

/** The announced end of a version. */
export interface Deprecation {
  since: Date
  sunset: Date
}
