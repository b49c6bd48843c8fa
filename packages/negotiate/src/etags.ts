export type { ConditionalHeaders } from './conditional-headers.ts'
export { type ETagVariant, etagFromContent, etagFromVersion } from './etag.ts'
export {
  evaluatePreconditions,
  type PreconditionOptions,
  type PreconditionResult,
  type ResourceState,
} from './evaluate-preconditions.ts'
export type { FetchHeaders, HeaderRecord, HeadersLike } from './header-source.ts'
export { type EntityTag, parseEntityTag, parseEntityTags } from './parse-etags.ts'
