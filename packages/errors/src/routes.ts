import type { IncomingMessage } from '../../internal/middleware.ts'

/** An Express app or router, of version 4 or 5. */
export type RoutedApp = object

interface Layer {
  /** Router 2.3 returns what it matched; before, and in Express 4, it is true and the layer keeps the rest. */
  match(path: string): boolean | { path: string }
  /** The part of the path that the last match took. */
  path?: string
  route?: { methods: Record<string, boolean> }
  handle?: { stack?: Layer[] }
}

interface Routed {
  /** Express 4, whose `router` throws. */
  _router?: { stack?: Layer[] }
  router?: { stack?: Layer[] }
  stack?: Layer[]
  parent?: unknown
}

// HTTP and WebDAV together have fewer; node knows 35.
const MOST_METHODS = 20

/** The methods of the routes that match a request's path, sorted, with HEAD and OPTIONS; none if no route matches. */
export function methodsOf(req: IncomingMessage, app?: RoutedApp): string[] {
  const { app: own, baseUrl = '', url = '/' } = req as IncomingMessage & { app?: Routed; baseUrl?: string }
  const routed: Routed | undefined = app ?? own
  const stack = routed && (routed.stack ?? routed._router?.stack ?? routed.router?.stack)
  if (!stack) return []
  // Within a router of an app, the routes of the app start before the router's own base.
  const inside = app === undefined && own?.parent === undefined
  const path = pathOnly(inside ? baseUrl + url : url)
  const methods = new Set<string>()
  collect(stack, path, methods)
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

/** `app.all` stands for a filter, such as a check of rights: it names every method that node knows, or `_all`. */
function addMethods(known: Record<string, boolean>, methods: Set<string>): void {
  const names = Object.keys(known).filter((method) => known[method])
  if (names.includes('_all') || names.length > MOST_METHODS) return
  for (const name of names) methods.add(name.toUpperCase())
}

function pathOnly(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
