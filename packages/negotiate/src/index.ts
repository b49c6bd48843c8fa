export type { HttpErrorLike } from '../../internal/http-error.ts'
export type { Middleware, Next } from '../../internal/middleware.ts'
export type { OnRefused } from '../../internal/refuse.ts'
export { type AcceptedBody, acceptBody, type BodyRequest } from './accept-body.ts'
export type { BreachSafe } from './breach-safe.ts'
export type { CharsetOptions } from './charsets.ts'
export { charset, encoding, language, mediaType } from './choose.ts'
export type { Coding } from './coding.ts'
export { type CompressOptions, compress } from './compress.ts'
export { type ConditionalOptions, type CurrentState, conditional } from './conditional.ts'
export { decodeBody } from './decode-body.ts'
export { type DecodeLimits, decodeStream } from './decode-stream.ts'
export type { EncodingOptions } from './encodings.ts'
export { entityTag, type TagVariant, versionTag } from './entity-tag.ts'
export {
  type ConditionalFields,
  evaluatePreconditions,
  type Outcome,
  type PreconditionOptions,
  type ResourceState,
} from './evaluate-preconditions.ts'
export type { HeaderSource } from './header-source.ts'
export type { LanguageOptions } from './languages.ts'
export type { MediaTypeOptions } from './media-types.ts'
export { type NegotiateOptions, negotiate } from './middleware.ts'
export { type NotAcceptableFailure, type NotAcceptableOptions, notAcceptable } from './not-acceptable.ts'
export { type Available, type OfferOptions, type Offers, offers } from './offers.ts'
export { type ConditionalRequest, preconditions, type RequirePreconditionOptions } from './preconditions.ts'
export type { NegotiateErrorCode } from './refusal.ts'
export { represent } from './represent.ts'
export type { Body, Representation } from './representation.ts'
