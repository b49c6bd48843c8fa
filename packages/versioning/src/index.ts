export type { HttpErrorLike } from '../../internal/http-error.ts'
export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Middleware, Next } from '../../internal/middleware.ts'
export type { OnRefused } from '../../internal/refuse.ts'
export type { VersionChange } from './changes.ts'
export type { VersioningApi } from './core.ts'
export { formatDeprecation, parseDeprecation } from './deprecation.ts'
export type { VersionedOffer } from './offers.ts'
export type {
  RetiredVersion,
  VersioningOptions,
  VersionLifecycle,
  VersionReader,
  VersionSourceOption,
} from './options.ts'
export type { VersioningEvent } from './publish-event.ts'
export { linkPrefix, linkTo, versionOf } from './request.ts'
export type { RequestVersion, VersionCandidates, VersionDecision } from './resolve-version.ts'
export type { VersionHeaderSet } from './response-headers.ts'
export type { Route, RouteHandler, RouteKey } from './route.ts'
export type { VersionScheme } from './version.ts'
export type { VersionError, VersioningErrorCode, VersionSource } from './version-error.ts'
export { type Versioning, versioning } from './versioning.ts'
