import type { Middleware } from '../../internal/middleware.ts'
import { assertKnownOptions } from '../../internal/options.ts'
import { refuse } from '../../internal/refuse.ts'
import { COMPRESS_OPTIONS, type CompressOptions, coderOf, PEER_NAMES } from './compress.ts'
import { CONDITIONAL_OPTIONS, type ConditionalOptions, conditionsOf } from './conditional-requests.ts'

/** What `negotiate` takes: codings, validators, conditions. */
export interface NegotiateOptions extends CompressOptions, ConditionalOptions {
  /** Whether the conditions of GET, HEAD and QUERY are answered (304, 412). @defaultValue true */
  conditional?: boolean
}

const KNOWN = [...new Set([...COMPRESS_OPTIONS, ...CONDITIONAL_OPTIONS, 'conditional'])]

/**
 * Makes the responses of an ordinary app right: all that `conditional()` and `compress()` do. Put it before everything
 * that answers.
 */
export function negotiate(options: NegotiateOptions = {}): Middleware {
  assertKnownOptions('negotiate', options, KNOWN, PEER_NAMES)
  const begin = coderOf('negotiate', options)
  const check = conditionsOf('negotiate', options, options.conditional ?? true)
  return function negotiation(req, res, next) {
    const refused = begin(req, res)
    if (refused) refuse(refused, req, res, next, options.onRefused)
    else check(req, res, next)
  }
}
