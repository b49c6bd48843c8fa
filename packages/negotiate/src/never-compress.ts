import { getPath, type IncomingMessage, type ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'

/** Responses that are never compressed: paths, each with everything below it, or a function. */
export type NeverCompress = readonly string[] | ((req: IncomingMessage, res: ServerResponse) => boolean)

/** Compiles the option into a function that returns whether a response is one of them. */
export function compileNeverCompress(
  owner: string,
  paths: NeverCompress,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  if (typeof paths === 'function') return paths
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string' && path.startsWith('/')))
    throw new TypeError(`${owner}: neverCompress must be a function or a list of paths, got ${inspectValue(paths)}`)
  if (paths.length === 0) return () => false
  const prefixes = paths.map(normalizePath)
  return (req) => {
    const path = normalizePath(getPath(req))
    return prefixes.some((prefix) => path.includes(prefix)) // also after a mount path or a version
  }
}

/**
 * Returns a path in one form for all spellings that a router may treat alike, since an attacker
 * chooses the spelling. It ends with a slash, so that `/accounts` is not below `/account`.
 */
function normalizePath(path: string): string {
  const parts = decodePath(path).toLowerCase().split(/[/\\]/)
  return `/${parts.map((part) => (part === '' ? '' : `${part}/`)).join('')}`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
