import type { IncomingMessage } from '../../internal/middleware.ts'

/** An Express app or router, of version 4 or 5. */
export type RoutedApp = object

interface Layer {
  match(path: string): boolean
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
    if (!layer.match(path)) continue
    if (layer.route) addMethods(layer.route.methods, methods)
    else if (nested) collect(nested, path.slice(layer.path?.length ?? 0) || '/', methods)
  }
}

/** `_all` says that a handler runs for every method, not that there is one that answers. */
function addMethods(known: Record<string, boolean>, methods: Set<string>): void {
  for (const [method, has] of Object.entries(known)) if (has && method !== '_all') methods.add(method.toUpperCase())
}

function pathOnly(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
