export type { HttpErrorLike } from '../../internal/http-error.ts'
export { decodeBody } from './decode-body.ts'
export { type DecodeLimits, decodeStream } from './decode-stream.ts'
