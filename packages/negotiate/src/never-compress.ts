import { getPath, type IncomingMessage, type ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'

/** Answers that are never compressed: paths, each with all below it, or a function that tells. */
export type NeverCompress = readonly string[] | ((req: IncomingMessage, res: ServerResponse) => boolean)

/** Compiles the option into the function that tells whether an answer is one of them. */
export function compileNeverCompress(
  owner: string,
  given: NeverCompress,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  if (typeof given === 'function') return given
  if (!Array.isArray(given) || !given.every((path) => typeof path === 'string' && path.startsWith('/')))
    throw new TypeError(`${owner}: neverCompress must be a function or a list of paths, got ${inspectValue(given)}`)
  if (given.length === 0) return () => false
  const paths = given.map(plain)
  return (req) => {
    const path = plain(getPath(req))
    return paths.some((known) => path.startsWith(known))
  }
}

/**
 * A path in one form for all that a router may take for the same: who attacks chooses the spelling. It ends with a
 * slash, so that `/accounts` is not below `/account`.
 */
function plain(path: string): string {
  const parts = decoded(path).toLowerCase().split('/')
  return `/${parts.map((part) => (part === '' ? '' : `${part}/`)).join('')}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
