import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'

/** An Express app or router, of version 4 or 5. */
export type RoutedApp = object

interface Layer {
  /**
   * Router 2.3 returns the match; older ones, and Express 4, return true and set `path` of the
   * layer.
   */
  match(path: string): boolean | { path: string }
  /** The part of the path that matched last. */
  path?: string
  route?: { methods: Record<string, boolean> }
  handle?: Partial<NestedRouter>
}

interface NestedRouter {
  stack: Layer[]
  use(handler: Middleware): unknown
  [HANDLES_OPTIONS]?: boolean
}

interface Routed {
  /** Express 4, whose `router` throws. */
  _router?: { stack?: Layer[] }
  router?: { stack?: Layer[] }
  stack?: Layer[]
  /** The app in which an app is mounted, and the path of it. */
  parent?: Routed
  mountpath?: unknown
}

const HANDLES_OPTIONS = Symbol.for('svc.errors.handlesOptions')

// HTTP and WebDAV have fewer methods; Node.js supports 35.
const MAX_METHODS = 20

/**
 * The methods of the routes that match a request's path, sorted, with HEAD and OPTIONS; none if no
 * route matches.
 */
export function findMethods(req: IncomingMessage, app?: RoutedApp): string[] {
  const { app: requestApp, baseUrl = '', url = '/' } = req as IncomingMessage & { app?: Routed; baseUrl?: string }
  const stack = getStack(app ?? requestApp)
  if (!stack) return []
  // Within a router of an app, the path starts before the base of the router.
  const appPath = app === undefined ? removeMountPath(requestApp, baseUrl + url) : undefined
  const path = pathOnly(appPath ?? url)
  const methods = new Set<string>()
  collect(stack, path, methods)
  return completed(methods)
}

/**
 * Appends a middleware to each router nested in an app, because a router of Express responds to
 * OPTIONS itself and calls no middleware after it. `respond` is called for a path that the router
 * has routes for.
 */
export function handleNestedOptions(
  app: RoutedApp,
  respond: (methods: readonly string[], ...args: Parameters<Middleware>) => void,
): void {
  const routed: Routed = app
  const createHandler =
    (router: NestedRouter): Middleware =>
    (req, res, next) => {
      const { baseUrl = '', url = '/' } = req as IncomingMessage & { baseUrl?: string }
      const methods = new Set<string>()
      if (req.method === 'OPTIONS') collect(router.stack, pathOnly(url), methods)
      if (methods.size === 0) return next()
      // The app may have other methods for this path outside of the router.
      const appPath = 'mountpath' in routed ? removeMountPath(routed, baseUrl + url) : undefined
      if (appPath !== undefined) collect(getStack(routed) ?? [], pathOnly(appPath), methods)
      respond(completed(methods), req, res, next)
    }
  const append = (stack: readonly Layer[]): void => {
    for (const { route, handle } of stack) {
      if (route || !isRouter(handle) || handle[HANDLES_OPTIONS]) continue
      append(handle.stack)
      handle[HANDLES_OPTIONS] = true
      handle.use(createHandler(handle))
    }
  }
  append(getStack(routed) ?? [])
}

function getStack(app: Routed | undefined): readonly Layer[] | undefined {
  return app?.stack ?? app?._router?.stack ?? app?.router?.stack
}

/**
 * Returns a path as the routes of an app see it, or `undefined` if the app is mounted at a pattern
 * or a list. Segments are counted, because a mount path may have parameters.
 */
function removeMountPath(app: Routed | undefined, path: string): string | undefined {
  let depth = 0
  for (let mounted = app; mounted?.parent; mounted = mounted.parent) {
    if (typeof mounted.mountpath !== 'string') return undefined
    depth += mounted.mountpath.split('/').filter((segment) => segment !== '').length
  }
  let start = 0
  for (; depth > 0 && start !== -1; depth--) start = path.indexOf('/', start + 1)
  return start === -1 ? '/' : path.slice(start)
}

function isRouter(handle: Layer['handle']): handle is NestedRouter {
  return Array.isArray(handle?.stack) && typeof handle.use === 'function'
}

function completed(methods: Set<string>): string[] {
  if (methods.size === 0) return []
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods.add('OPTIONS')].sort()
}

function collect(stack: readonly Layer[], path: string, methods: Set<string>): void {
  for (const layer of stack) {
    const nested = layer.handle?.stack
    if (!layer.route && !nested) continue
    const match = layer.match(path)
    if (!match) continue
    const taken = typeof match === 'object' ? match.path : (layer.path ?? '')
    if (layer.route) addMethods(layer.route.methods, methods)
    else if (nested) collect(nested, path.slice(taken.length) || '/', methods)
  }
}

/**
 * `app.all` is a filter, such as an authorization check: it has every method of Node.js, or `_all`.
 */
function addMethods(supported: Record<string, boolean>, methods: Set<string>): void {
  const names = Object.keys(supported).filter((method) => supported[method])
  if (names.includes('_all') || names.length > MAX_METHODS) return
  for (const name of names) methods.add(name.toUpperCase())
}

function pathOnly(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
