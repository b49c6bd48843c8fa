export type { ConditionalHeaders } from './conditional-headers.ts'
export {
  type EvaluatePreconditionsOptions,
  evaluatePreconditions,
  type PreconditionResult,
  type ResourceState,
} from './evaluate-preconditions.ts'
export type { FetchHeaders, HeaderRecord, HeadersLike } from './header-source.ts'
export { type ETag, parseETag, parseETags } from './parse-etags.ts'
export { type ETagVariant, etagFromContent, etagFromVersion } from './validators.ts'
