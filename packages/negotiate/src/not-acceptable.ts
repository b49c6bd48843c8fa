import type { HttpErrorLike } from '../../internal/http-error.ts'
import { createNegotiateError } from './errors.ts'
import { type OffersLike, toOfferList } from './offers.ts'

/** The 406 of a request that accepts no available representation (RFC 9110 §15.5.7). */
export interface NotAcceptableError extends HttpErrorLike {
  /** The available representations. */
  available: readonly string[]
}

/** Options for `notAcceptable()`. */
export interface NotAcceptableOptions {
  /** The request headers that decided, for `Vary`. @defaultValue ['Accept'] */
  vary?: readonly string[]
  /** The URI of the resource, for a `Link` to each type; if omitted, there is no `Link`. */
  href?: string
}

/**
 * Creates the 406 error. Its message and its property `available` list the representations (RFC
 * 9110 §15.5.7).
 */
export function notAcceptable(available: OffersLike<string>, options: NotAcceptableOptions = {}): NotAcceptableError {
  const values = toOfferList(available)
  const { vary = ['Accept'], href } = options
  const headers: Record<string, string> = { Vary: vary.join(', ') }
  if (href !== undefined) headers['Link'] = values.map((value) => formatLink(href, value)).join(', ')
  const message = `None of the accepted representations is available. Available: ${values.join(', ')}.`
  const params = { available: values }
  const error = createNegotiateError({ status: 406, code: 'ERR_NEGOTIATE_NOT_ACCEPTABLE', message, headers, params })
  return Object.assign(error, { available: values })
}

function formatLink(href: string, type: string): string {
  const uri = encodeURI(href).replaceAll('%25', '%') // its own percent signs encode already
  return `<${uri}>; rel="alternate"; type="${type.replace(/["\\]/g, '\\$&')}"`
}
