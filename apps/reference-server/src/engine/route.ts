import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { ActionContext } from './action-context.ts'
import type { ActionResult, RecordPage } from './action-result.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { CacheClass, Collection } from './define.ts'
import type { JsonSchema } from './fields.ts'

/** What clients read about an action: in the OpenAPI document, and in clients generated from it. */
export interface ActionInfo {
  /** Name of its method in a generated client, unique in the service: `listEmployees`. */
  operationId: string
  /** What it does, in one line: `List employees`. */
  summary: string
  /** What it does, in sentences. */
  description: string
  /** Name of the group of operations that it belongs to. */
  tag: string
}

/** JSON that an action takes or returns. */
export interface Payload {
  /** Name of its type in generated clients: `OrderInvoice`. */
  name: string
  schema: JsonSchema
  /** A value of the seed data. */
  example: Readonly<Record<string, unknown>>
  /** Links of the example, as paths without the version. */
  links?: Readonly<Record<string, string>>
}

/** What a method of a route does. */
export interface Action extends ActionInfo {
  /** Scope that the caller needs; `undefined`: anybody may. */
  scope: string | undefined
  /** What is answered: it decides the representations that exist. */
  kind: ContentKind
  /** Name of the record, where that is what is answered. */
  record?: string
  /** Collection of the items that it takes and returns. */
  shape?: CompiledCollection
  /** Field of the item that the path names: the body does not have it. */
  pathField?: string
  /** Body of the request, unless it is an item of the collection. */
  takes?: Payload
  /** Body of the response, unless it is an item or a page of the collection. */
  gives?: Payload
  /** Statuses other than that of its success that its record is sent with. */
  otherStatuses?: readonly number[]
  /** Media types of the request's body; none: a body is ignored. */
  accepts: readonly string[]
  idempotency: 'none' | 'optional' | 'required'
  /** Status of its success. @defaultValue 204 for DELETE, 201 for POST, else 200 */
  success?: 200 | 204 | 302
  /** What is shown goes stale together with these, or what is changed makes them stale (RFC 9875), as a list. */
  groups?: string
  /** Units of the rate limit. */
  cost: number
  run(call: ActionContext): MaybePromise<ActionResult>
  /**
   * Whether it may be done after the answer, where the client prefers that. Throws what is wrong with the request
   * already now. @defaultValue never
   */
  later?(call: ActionContext, type: string): MaybePromise<boolean>
}

export type ContentKind = 'item' | 'page' | 'record' | 'none'

/** A path and what can be done there. */
export interface Route {
  /** `/orders/{id}/items` */
  path: string
  methods: ReadonlyMap<string, Action>
  /** `Allow`: GET, HEAD, OPTIONS and the rest. */
  allow: string
}

export interface RouteMatch {
  route: Route
  params: Readonly<Record<string, string>>
  action: Action
}

const SAFE = ['GET', 'QUERY']

/** Makes a route; GET brings HEAD and OPTIONS with it. */
export function route(path: string, actions: Readonly<Record<string, Action>>): Route {
  const methods = new Map(Object.entries(actions))
  const get = methods.get('GET')
  if (get) methods.set('HEAD', get)
  const allow = [...methods.keys(), 'OPTIONS'].sort().join(', ')
  return { path, methods, allow }
}

/** Whether a method changes nothing. */
export function isSafe(method: string): boolean {
  return method === 'HEAD' || SAFE.includes(method)
}

/** Finds the route of a path; variables are still encoded. */
export type FindRoute = (path: string) => { route: Route; params: Record<string, string> } | undefined

/** Tells the methods of what a link of the service leads to, whatever version it names; none where it leads elsewhere. */
export function methodsOf(
  findRoute: FindRoute,
  publicUrl: string,
  stripVersion: (path: string) => string,
): (href: string) => readonly string[] {
  return (href) => {
    const path = href.slice(href.startsWith(publicUrl) ? publicUrl.length : 0).replace(/[?#].*$/, '')
    return findRoute(stripVersion(path))?.route.allow.split(', ') ?? []
  }
}

/** Returns whether GET answers a path, or a template of one, to a caller with these scopes. */
export function canGet(findRoute: FindRoute): (path: string, can: (scope: string) => boolean) => boolean {
  return (path, can) => {
    const action = findRoute(path.replace(/\{?[?#].*$/s, ''))?.route.methods.get('GET')
    return action !== undefined && (action.scope === undefined || can(action.scope))
  }
}

interface Compiled {
  route: Route
  /** Text of a segment, or the name of its variable. */
  segments: readonly ({ text: string } | { name: string })[]
}

/** Compiles routes for look-up by number of segments and first segment. */
export function routeTable(routes: readonly Route[]): FindRoute {
  const byKey = new Map<string, Compiled[]>()
  for (const one of routes) {
    const segments = one.path.split('/').slice(1)
    const key = `${segments.length}/${segments[0]}`
    const compiled = segments.map((text) => (text.startsWith('{') ? { name: text.slice(1, -1) } : { text }))
    const others = byKey.get(key) ?? []
    // `/users/me` before `/users/{id}`.
    if (one.path.includes('{')) others.push({ route: one, segments: compiled })
    else others.unshift({ route: one, segments: compiled })
    byKey.set(key, others)
  }
  return (path) => {
    const given = path.split('/')
    given.shift()
    for (const { route, segments } of byKey.get(`${given.length}/${given[0]}`) ?? []) {
      const params = paramsOf(segments, given)
      if (params) return { route, params }
    }
    return undefined
  }
}

function paramsOf(segments: Compiled['segments'], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  let at = 0
  for (const segment of segments) {
    const value = given[at++] ?? ''
    if ('text' in segment) {
      if (segment.text !== value) return undefined
    } else if (value === '') return undefined
    else params[segment.name] = value
  }
  return params
}

/** Names of cache groups as their fields list them (RFC 9875 2): everything in a group goes stale together. */
export function groupList(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `"${name}"`).join(', ')
}

/** The groups of what a collection shows, with `others` that it is made of too, and of what its changes make stale. */
export function buildCacheGroups(
  { name, affects }: Collection,
  others: readonly string[] = [],
): { shown: { groups: string }; changed: { groups: string } } {
  return { shown: { groups: groupList([name, ...others]) }, changed: { groups: groupList([name, ...affects]) } }
}

export interface RecordAnswer {
  value: Readonly<Record<string, unknown>>
  links?: Readonly<Record<string, string>>
  status?: number
  page?: RecordPage
}

/** What a public path with one record declares. */
export interface RecordInfo extends ActionInfo {
  /** Name of the record: its root in XML. */
  record: string
  cache: CacheClass
  /** Omitted: the record exists for its page only. */
  gives?: Payload
  /** Statuses other than 200 that the record is sent with. */
  otherStatuses?: readonly number[]
}

/** A public path that answers GET with one record. */
export function recordRoute(
  path: string,
  { cache, ...info }: RecordInfo,
  read: (call: ActionContext) => MaybePromise<RecordAnswer>,
): Route {
  const run = (call: ActionContext): MaybePromise<ActionResult> =>
    chain(read(call), ({ value, links, status = 200, page }) => ({
      status,
      cache,
      content: { kind: 'record', name: info.record, value, ...(links && { links }), ...(page && { page }) },
    }))
  return route(path, {
    GET: { ...info, scope: undefined, kind: 'record', accepts: [], idempotency: 'none', cost: 1, run },
  })
}
