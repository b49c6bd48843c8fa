import type { Middleware } from '../../internal/middleware.ts'
import { assertKnownOptions, assertTypes } from '../../internal/options.ts'
import { refuse } from '../../internal/refuse.ts'
import { COMPRESS_OPTIONS, type CompressOptions, createCompression, PEER_NAMES } from './compress.ts'
import {
  CONDITIONAL_OPTIONS,
  type ConditionalRequestsOptions,
  createConditionalRequests,
} from './conditional-requests.ts'

/** Options for `negotiate()`: those of `compress()` and `conditionalRequests()`. */
export interface NegotiateOptions extends CompressOptions, ConditionalRequestsOptions {
  /** Whether conditions of GET, HEAD and QUERY are evaluated (304, 412). @defaultValue true */
  conditional?: boolean
}

const OPTIONS = [...new Set([...COMPRESS_OPTIONS, ...CONDITIONAL_OPTIONS, 'conditional'])]

/**
 * Creates middleware that adds ETags, 304, 412 and 428, compression and `Vary` to the responses of
 * an ordinary app: all of `conditionalRequests()` and `compress()`. Mount it before everything that
 * responds.
 * @example
 * app.use(negotiate({ minBytes: 512 }))
 */
export function negotiate(options: NegotiateOptions = {}): Middleware {
  assertKnownOptions('negotiate', options, OPTIONS, PEER_NAMES)
  assertTypes('negotiate', options, { conditional: 'boolean' })
  const begin = createCompression('negotiate', options)
  const check = createConditionalRequests('negotiate', options, options.conditional ?? true)
  return function negotiation(req, res, next) {
    const refused = begin(req, res)
    if (refused) refuse(refused, req, res, next, options.onRefused)
    else check(req, res, next)
  }
}
