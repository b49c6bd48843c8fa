import { chain } from '../database/maybe-promise.ts'
import { missing, requireItem } from './access.ts'
import type { ActionContext } from './action.ts'
import {
  type CollectionNames,
  type CompiledCollection,
  type CompiledCollections,
  getCollection,
} from './compiled-collection.ts'
import type { Method, NestedPath } from './define.ts'
import operations from './operations.json' with { type: 'json' }
import { PATCH_TYPES } from './patch.ts'
import { queryItems } from './query-method.ts'
import { checkList, getItem, listItems, type PathScope, type Scope } from './read.ts'
import { BODY_TYPES } from './read-body.ts'
import { columnFor } from './repository.ts'
import { type ActionDefinition, type ActionInfo, buildCacheGroups, type Route, route } from './route.ts'
import { createItem, type Given, patchItem, readNew, removeItem, replaceItem } from './write.ts'

/** Everything that can be done with a collection: its own paths, and those below other items. */
export function collectionRoutes(shape: CompiledCollection, shapes: CompiledCollections): Route[] {
  const { collection } = shape
  const { path, parent, methods, nestedPaths } = collection
  const ownPath: NestedPath[] = [{ path, parent: parent ?? '', methods }]
  const lists = [...ownPath, ...nestedPaths].map((view) => listRoute(shape, view, shapes))
  return [...lists, itemRoute(shape, shapes)]
}

const VARIABLE = /\{(\w+)\}/

function listRoute(shape: CompiledCollection, view: NestedPath, shapes: CompiledCollections): Route {
  const { collection } = shape
  const { scope, publicRead, idempotency, deferrable, fields } = collection
  const variable = VARIABLE.exec(view.path)?.[1]
  const pathField = variable !== undefined && fields[variable]?.writable.create ? variable : undefined
  const scoped = createScopeCheck(shape, view, { variable, pathField }, shapes)
  const parent = view.path === collection.path ? undefined : shapes.get(view.parent)?.names
  const { shown, changed } = buildCacheGroups(collection)
  const read = { shape, scope: publicRead ? undefined : `${scope}:read`, kind: 'page', ...shown } as const
  const actions: Record<string, ActionDefinition> = {
    GET: {
      ...read,
      ...describe('list', shape, parent),
      run: (call) => listItems(shape, call, scoped),
      later(call, type) {
        if (type !== 'text/csv') return false
        checkList(shape, call)
        return chain(scoped(call), () => true)
      },
    },
    QUERY: {
      ...read,
      ...describe('query', shape, parent),
      accepts: ['application/json'],
      run: (call) => queryItems(shape, call, scoped),
    },
  }
  if (view.methods.includes('POST')) {
    // A field of the parent's name has its value in the path; another name is not a field.
    const field = variable === undefined ? undefined : fields[variable]
    const readPathValues = async (call: ActionContext): Promise<Given> => {
      await scoped(call)
      return { [variable ?? '']: field?.fromText(call.params[variable ?? ''] ?? '') }
    }
    actions['POST'] = {
      shape,
      scope: `${scope}:write`,
      kind: 'item',
      accepts: BODY_TYPES,
      idempotency,
      ...changed,
      ...describe('create', shape, parent),
      ...(pathField !== undefined && { pathField }),
      run: createItem(shape, variable === undefined ? undefined : readPathValues),
      ...(deferrable && {
        later: async (call) => Object.keys(readNew(shape, call, await readPathValues(call))).length > 0,
      }),
    }
  }
  return route(view.path, actions)
}

// Operations below a parent carry its name: `listCustomerOrders`.
function describe(
  operation: keyof typeof operations,
  { collection, names }: CompiledCollection,
  parent?: CollectionNames,
): ActionInfo {
  const words: Readonly<Record<string, string>> = {
    ...names,
    parent: parent?.item ?? '',
    ofParent: parent ? ` of ${parent.oneItem}` : '',
  }
  const fill = (template: string): string => template.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
  const { operationId, summary, description } = operations[operation]
  const tag = collection.name
  return { operationId: fill(operationId), summary: fill(summary), description: fill(description), tag }
}

function createScopeCheck(
  { collection: { path, createWhen } }: CompiledCollection,
  view: NestedPath,
  { variable, pathField }: { variable: string | undefined; pathField: string | undefined },
  shapes: CompiledCollections,
): Scope {
  const parent = shapes.get(view.parent)
  if (variable === undefined || !parent) return () => ({ conditions: [] })
  const { condition } = view
  return (call) =>
    chain(requireItem(parent, call.params[variable] ?? '', call), (item): PathScope => {
      const value = columnFor(parent.collection, item.id)
      const sql = condition === undefined ? undefined : { sql: condition, values: [value] }
      const isClosed = !view.methods.includes('POST') || (view.path === path && createWhen?.(item) === false)
      return { conditions: [sql ?? { column: variable, operator: 'eq', values: [value] }], isClosed, pathField }
    })
}

function itemRoute(shape: CompiledCollection, shapes: CompiledCollections): Route {
  const { collection } = shape
  const { path, parent, scope, publicRead, methods } = collection
  const variable = VARIABLE.exec(path)?.[1]
  // An item below a parent is that of this parent: `/products/2/reviews/1` is not
  // `/products/1/reviews/1`.
  const within = (run: ActionDefinition['run']): ActionDefinition['run'] =>
    variable === undefined
      ? run
      : async (call) => {
          await requireItem(getCollection(shapes, parent), call.params[variable] ?? '', call)
          const item = await requireItem(shape, call.params['id'] ?? '', call)
          if (String(item[variable]) !== call.params[variable]) throw missing(collection, call.params['id'] ?? '')
          return run(call)
        }
  const { shown, changed } = buildCacheGroups(collection)
  const write = { shape, scope: `${scope}:write`, kind: 'item', ...changed } as const
  const all: Partial<Record<Method, ActionDefinition>> = {
    GET: {
      ...write,
      ...shown,
      scope: publicRead ? undefined : `${scope}:read`,
      ...describe('get', shape),
      run: within((call) => getItem(shape, call)),
    },
    PUT: {
      ...write,
      ...describe('replace', shape),
      accepts: BODY_TYPES,
      run: within((call) => replaceItem(shape, call)),
    },
    PATCH: {
      ...write,
      ...describe('update', shape),
      accepts: PATCH_TYPES,
      idempotency: 'optional',
      run: within((call) => patchItem(shape, call)),
    },
    DELETE: { ...write, ...describe('delete', shape), run: within((call) => removeItem(shape, call)) },
  }
  const allowed = methods.flatMap((method) => (all[method] ? [[method, all[method]] as const] : []))
  return route(`${path}/{id}`, Object.fromEntries(allowed))
}
