import type { HttpErrorLike } from '../../internal/http-error.ts'
import { createNegotiateError } from './errors.ts'
import { type Available, toOfferList } from './offers.ts'

/** The failure of a request that accepts nothing of what there is: 406 (RFC 9110 15.5.7). */
export interface NotAcceptableError extends HttpErrorLike {
  /** What the client could have asked for. */
  available: readonly string[]
}

/** What the answer 406 tells beside the representations that there are. */
export interface NotAcceptableOptions {
  /** The request fields that decided; the answer varies by them. @defaultValue ['Accept'] */
  vary?: readonly string[]
  /** The URI of the resource, for a `Link` to each type. Left out: no `Link`. */
  href?: string
}

/**
 * The 406 failure. Its message lists what is available (RFC 9110 15.5.7), and so does its member `available`, for an
 * error handler that writes a body of its own.
 */
export function notAcceptable(available: Available<string>, options: NotAcceptableOptions = {}): NotAcceptableError {
  const values = toOfferList(available)
  const { vary = ['Accept'], href } = options
  const headers: Record<string, string> = { Vary: vary.join(', ') }
  if (href !== undefined) headers['Link'] = values.map((value) => linkTo(href, value)).join(', ')
  const message = `None of the accepted representations exists. Available: ${values.join(', ')}.`
  const params = { available: values }
  const error = createNegotiateError({ status: 406, code: 'ERR_NEGOTIATE_NOT_ACCEPTABLE', message, headers, params })
  return Object.assign(error, { available: values })
}

function linkTo(href: string, type: string): string {
  return `<${encodeURI(href)}>; rel="alternate"; type="${type.replace(/["\\]/g, '\\$&')}"`
}
