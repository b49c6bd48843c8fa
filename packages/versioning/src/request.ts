import { requestFact } from '../../internal/request-fact.ts'
import type { RequestVersion } from './resolve-version.ts'

/** The fact that the middleware stores on a request. */
export const VERSION = Symbol.for('svc.versioning')
export const requestVersion = requestFact<RequestVersion>(VERSION)

/** A request with the fact. */
export interface Versioned {
  [VERSION]?: RequestVersion
}

/**
 * Returns the version of a request and how the request named it, or `undefined` before the
 * middleware of `versioning` ran.
 */
export function versionOf(req: object): RequestVersion | undefined {
  return requestVersion.get(req)
}

/**
 * Returns the prefix for links and `Location`, such as `/v1`, so that clients keep naming the
 * version in the path. Empty if they do not.
 */
export function linkPrefix(req: object): string {
  return requestVersion.get(req)?.prefix ?? ''
}

/**
 * Returns a link that names the version like the request: `/v1/orders/7`, or
 * `/orders/7?api-version=1`.
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
