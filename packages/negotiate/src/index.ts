export type { HttpErrorLike } from '../../internal/http-error.ts'
export type { Middleware, Next } from '../../internal/middleware.ts'
export { type OnRefused, refuse } from '../../internal/refuse.ts'
export { type BodyHeaderRules, type BodyRequest, checkBodyHeaders } from './check-body-headers.ts'
export { type CheckPreconditionsOptions, type ConditionalRequest, checkPreconditions } from './check-preconditions.ts'
export { encoding, language, mediaType } from './choose.ts'
export type { ContentEncoding } from './codecs.ts'
export { type CompressOptions, compress } from './compress.ts'
export type { ConditionalHeaders } from './conditional-headers.ts'
export { type ConditionalOptions, type CurrentState, conditionalRequests } from './conditional-requests.ts'
export type { EncodingOptions } from './encodings.ts'
export type { NegotiateErrorCode } from './errors.ts'
export type { PreconditionOptions, ResourceState } from './evaluate-preconditions.ts'
export type { FetchHeaders, HeaderRecord, HeaderSource, HeadersLike } from './header-source.ts'
export type { LanguageOptions } from './languages.ts'
export type { MediaTypeOptions } from './media-types.ts'
export { type NegotiateOptions, negotiate } from './middleware.ts'
export type { NeverCompress } from './never-compress.ts'
export { type NotAcceptableError, type NotAcceptableOptions, notAcceptable } from './not-acceptable.ts'
export type { TieBreaker } from './offer-match.ts'
export { type Available, type OfferOptions, type Offers, offers } from './offers.ts'
export {
  type OwnRepresentation,
  type PreparableRepresentation,
  type PreparedRepresentation,
  prepareRepresentation,
  sendPrepared,
} from './prepared.ts'
export type { Body, Representation } from './representation.ts'
export { sendRepresentation } from './send-representation.ts'
