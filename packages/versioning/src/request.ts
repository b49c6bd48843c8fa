import { requestFact } from '../../internal/request-fact.ts'
import type { RequestVersion } from './resolve-version.ts'

/** The fact under which the middleware keeps it. */
export const requestVersion = requestFact<RequestVersion>('versioning')

/**
 * The version that serves a request and how the request named it; `undefined` before the middleware
 * of `versioning`.
 */
export function versionOf(req: object): RequestVersion | undefined {
  return requestVersion.get(req)
}

/**
 * Returns the prefix of links and of `Location`, so that clients name the version as before: `/v1`,
 * or an empty string.
 */
export function linkPrefix(req: object): string {
  return requestVersion.get(req)?.prefix ?? ''
}

/**
 * A link that keeps how the client names its version: `/v1/orders/7`, or `/orders/7?api-version=1`.
 */
export function linkTo(req: object, path: string): string {
  const version = requestVersion.get(req)
  if (!version) return path
  const link = version.prefix + path
  if (version.query === undefined) return link
  const hash = link.indexOf('#')
  const [target, fragment] = hash === -1 ? [link, ''] : [link.slice(0, hash), link.slice(hash)]
  return `${target}${target.includes('?') ? '&' : '?'}${version.query}${fragment}`
}
