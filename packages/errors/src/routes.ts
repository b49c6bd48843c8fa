import { getPath, type IncomingMessage, type Middleware } from '../../internal/middleware.ts'

/** An Express app or router, of version 4 or 5. */
export type RoutedApp = object

interface Layer {
  /**
   * Returns the match since router 2.3. Older versions and Express 4 return true and set `path` of
   * the layer.
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
  /** The router of Express 4, whose property `router` throws. */
  _router?: { stack?: Layer[] }
  router?: { stack?: Layer[] }
  stack?: Layer[]
  /** The app that this app is mounted in, and the path of it. */
  parent?: Routed
  mountpath?: unknown
}

const HANDLES_OPTIONS = Symbol.for('svc.errors.handlesOptions')

// HTTP and WebDAV have fewer methods than this; Node.js supports 35.
const MAX_METHODS = 20

/**
 * Returns the methods of the routes for the path of a request, sorted, with HEAD and OPTIONS. Empty
 * if no route matches.
 */
export function findMethods(req: IncomingMessage, app?: RoutedApp): string[] {
  const { app: requestApp, baseUrl = '', url } = req as IncomingMessage & { app?: Routed; baseUrl?: string }
  const stack = getStack(app ?? requestApp)
  if (!stack) return []
  const path = getPath({ url }) // not of `originalUrl`, which starts before the base of a router
  // Inside a router of an app, the path starts before the base of the router.
  const appPath = app === undefined ? removeMountPath(requestApp, baseUrl + path) : undefined
  const methods = new Set<string>()
  collectMethods(stack, appPath ?? path, methods)
  return addImpliedMethods(methods)
}

/**
 * Appends a middleware to each nested router of an app, because a router of Express responds to
 * OPTIONS itself and calls no middleware after it. Calls `respond` for a path that the router has
 * routes for.
 */
export function handleNestedOptions(
  app: RoutedApp,
  respond: (methods: readonly string[], ...args: Parameters<Middleware>) => void,
): void {
  const routed: Routed = app
  const createHandler =
    (router: NestedRouter): Middleware =>
    (req, res, next) => {
      if (req.method !== 'OPTIONS') return next()
      const { baseUrl = '', url } = req as IncomingMessage & { baseUrl?: string }
      const path = getPath({ url })
      const methods = new Set<string>()
      collectMethods(router.stack, path, methods)
      if (methods.size === 0) return next()
      // The app may have routes for other methods of this path outside of the router.
      const appPath = 'mountpath' in routed ? removeMountPath(routed, baseUrl + path) : undefined
      if (appPath !== undefined) collectMethods(getStack(routed) ?? [], appPath, methods)
      respond(addImpliedMethods(methods), req, res, next)
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
 * Returns a path relative to an app, or `undefined` if the app is mounted at a pattern or a list.
 * Segments are counted, because a mount path may have parameters.
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

function addImpliedMethods(methods: Set<string>): string[] {
  if (methods.size === 0) return []
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods.add('OPTIONS')].sort()
}

function collectMethods(stack: readonly Layer[], path: string, methods: Set<string>): void {
  for (const layer of stack) {
    const nested = layer.handle?.stack
    if (!layer.route && !nested) continue
    const match = layer.match(path)
    if (!match) continue
    const matchedPath = typeof match === 'object' ? match.path : (layer.path ?? '')
    if (layer.route) addMethods(layer.route.methods, methods)
    else if (nested) collectMethods(nested, path.slice(matchedPath.length) || '/', methods)
  }
}

/**
 * Skips `app.all`, which has every method of Node.js, and `route.all`, which is `_all`: it is a
 * filter, such as an authorization check.
 */
function addMethods(supported: Record<string, boolean>, methods: Set<string>): void {
  const names = Object.keys(supported).filter((method) => method !== '_all' && supported[method])
  if (names.length > MAX_METHODS) return
  for (const name of names) methods.add(name.toUpperCase())
}
