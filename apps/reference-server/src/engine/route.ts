import type { HttpError } from '@svc/errors'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { ActionContext, ActionResult, RecordContent } from './action.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { CacheClass, Collection } from './define.ts'
import type { JsonSchema } from './field.ts'

/** Documentation of an action in the OpenAPI document and in generated clients. */
export interface ActionInfo {
  /** Name of its method in a generated client, unique in the service: `listEmployees`. */
  operationId: string
  /** Describes it in one line: `List employees`. */
  summary: string
  /** Describes it in sentences. */
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

/** The action of a method of a route, as it is declared. */
export interface ActionDefinition extends ActionInfo {
  /** Scope that the caller needs; `undefined` if it is public. */
  scope: string | undefined
  /** Kind of the content, on which the available representations depend. */
  kind: ContentKind
  /** Name of the record, if the content is one. */
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
  /** Media types of the request body. @defaultValue none: a body is ignored */
  accepts?: readonly string[]
  /** @defaultValue 'none' */
  idempotency?: 'none' | 'optional' | 'required'
  /** Status of its success. @defaultValue 204 for DELETE, 201 for POST, else 200 */
  success?: 200 | 204 | 302
  /** Cache groups of the content, or those that a change invalidates (RFC 9875), as a list. */
  groups?: string
  /** Units of the rate limit. @defaultValue 1 for a read, 2 for a change */
  cost?: number
  /** Returns the result, or throws the error that rejects the request, or returns it. */
  run(call: ActionContext): MaybePromise<ActionResult | HttpError>
  /** Validates a request; returns whether it can run after its response. @defaultValue never */
  later?(call: ActionContext, type: string): MaybePromise<boolean>
}

/** An action with its defaults. */
export type Action = ActionDefinition &
  Required<Pick<ActionDefinition, 'accepts' | 'idempotency' | 'cost'>> & {
    /** Whether its method changes nothing. */
    isSafe: boolean
  }

export type ContentKind = 'item' | 'page' | 'record' | 'none'

/** A path with its actions. */
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

const SAFE = ['GET', 'HEAD', 'OPTIONS', 'QUERY']

/** Makes a route; GET brings HEAD and OPTIONS with it. */
export function route(path: string, actions: Readonly<Record<string, ActionDefinition>>): Route {
  const methods = new Map(
    Object.entries(actions).map(([method, action]): [string, Action] => [
      method,
      { accepts: [], idempotency: 'none', cost: isSafe(method) ? 1 : 2, ...action, isSafe: isSafe(method) },
    ]),
  )
  const get = methods.get('GET')
  if (get) methods.set('HEAD', get)
  const allow = [...methods.keys(), 'OPTIONS'].sort().join(', ')
  return { path, methods, allow }
}

/** Whether a method changes nothing. */
export function isSafe(method: string): boolean {
  return SAFE.includes(method)
}

/** Finds the route of a path; variables are still encoded. */
export type FindRoute = (path: string) => { route: Route; params: Record<string, string> } | undefined

interface Compiled {
  route: Route
  /** Text of a segment, or the name of its variable. */
  segments: readonly ({ text: string } | { name: string })[]
}

/** Compiles routes for lookup by number of segments and first segment. */
export function routeTable(routes: readonly Route[]): FindRoute {
  const byKey = new Map<string, Compiled[]>()
  for (const route of routes) {
    const segments = route.path.split('/').slice(1)
    // What was found for one item holds for the others, see `recall()`.
    if (/^\d+$/.test(segments.at(-1) ?? '')) throw new TypeError(`the path ${route.path} must not end with a number`)
    const key = `${segments.length}/${segments[0]}`
    const compiled = segments.map((text) => (text.startsWith('{') ? { name: text.slice(1, -1) } : { text }))
    const others = byKey.get(key) ?? []
    // `/users/me` before `/users/{id}`.
    if (route.path.includes('{')) others.push({ route, segments: compiled })
    else others.unshift({ route, segments: compiled })
    byKey.set(key, others)
  }
  return (path) => {
    const texts = path.split('/')
    texts.shift()
    for (const { route, segments } of byKey.get(`${texts.length}/${texts[0]}`) ?? []) {
      const params = matchSegments(segments, texts)
      if (params) return { route, params }
    }
    return undefined
  }
}

function matchSegments(segments: Compiled['segments'], texts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  let index = 0
  for (const segment of segments) {
    const value = texts[index++] ?? ''
    if ('text' in segment) {
      if (segment.text !== value) return undefined
    } else if (value === '') return undefined
    else params[segment.name] = value
  }
  return params
}

/** Formats the names of cache groups (RFC 9875 §2), which are invalidated as a whole. */
export function groupList(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `"${name}"`).join(', ')
}

/** Builds the cache groups of responses, with `others` they depend on, and of changes. */
export function buildCacheGroups(
  { name, affects }: Collection,
  others: readonly string[] = [],
): { shown: { groups: string }; changed: { groups: string } } {
  return { shown: { groups: groupList([name, ...others]) }, changed: { groups: groupList([name, ...affects]) } }
}

/** A record, and its status if that is not 200. */
export type RecordAnswer = Pick<RecordContent, 'value' | 'links' | 'page'> & { status?: number }

/** Declaration of a public path with one record. */
export interface RecordInfo extends ActionInfo, Pick<ActionDefinition, 'gives' | 'otherStatuses'> {
  /** Name of the record: its root in XML. */
  record: string
  cache: CacheClass
}

/** Creates a public route whose GET returns one record. */
export function recordRoute(
  path: string,
  { cache, ...info }: RecordInfo,
  read: (call: ActionContext) => MaybePromise<RecordAnswer>,
): Route {
  const run = (call: ActionContext): MaybePromise<ActionResult> =>
    chain(read(call), ({ status = 200, ...record }) => ({
      status,
      cache,
      content: { kind: 'record', name: info.record, ...record },
    }))
  return route(path, { GET: { ...info, scope: undefined, kind: 'record', run } })
}
