import { chain } from '../database/maybe-promise.ts'
import { missing, requireItem } from './access.ts'
import type { ActionContext } from './action.ts'
import { columnFor } from './columns.ts'
import { type CompiledCollection, type CompiledCollections, getCollection } from './compiled-collection.ts'
import type { Method, NestedPath } from './define.ts'
import { PATCH_TYPES } from './patch.ts'
import { queryItems } from './query-method.ts'
import { checkList, getItem, listItems, type PathScope, type Scope } from './read.ts'
import { BODY_TYPES } from './read-body.ts'
import { type Action, type ActionInfo, buildCacheGroups, type Route, route } from './route.ts'
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
  const { scope, publicRead, idempotency } = collection
  const variable = VARIABLE.exec(view.path)?.[1]
  const scoped = createScopeCheck(shape, view, variable, shapes)
  const { shown, changed } = buildCacheGroups(collection)
  const info = listInfo(shape, view, shapes)
  const readScope = publicRead ? undefined : `${scope}:read`
  const read = { shape, scope: readScope, idempotency: 'none', cost: 1, kind: 'page' } as const
  const actions: Record<string, Action> = {
    GET: {
      ...read,
      ...shown,
      ...info.list,
      accepts: [],
      run: (call) => listItems(shape, call, scoped),
      later(call, type) {
        if (type !== 'text/csv') return false
        checkList(shape, call)
        return chain(scoped(call), () => true)
      },
    },
    QUERY: {
      ...read,
      ...shown,
      ...info.query,
      accepts: ['application/json'],
      run: (call) => queryItems(shape, call, scoped),
    },
  }
  if (view.methods.includes('POST')) {
    const readPathValues = async (call: ActionContext): Promise<Given> => {
      await scoped(call)
      return variable === undefined ? {} : { [variable]: parentValue(shape, variable, call) }
    }
    actions['POST'] = {
      shape,
      scope: `${scope}:write`,
      kind: 'item',
      accepts: BODY_TYPES,
      idempotency,
      cost: 2,
      ...changed,
      ...info.create,
      ...(variable !== undefined && collection.fields[variable]?.writable.create && { pathField: variable }),
      run: async (call) => createItem(shape, call, await readPathValues(call)),
      ...(collection.deferrable && {
        later: async (call) => Object.keys(readNew(shape, call, await readPathValues(call))).length > 0,
      }),
    }
  }
  return route(view.path, actions)
}

// Operations on a view carry the parent's name: `listCustomerOrders`.
function listInfo(
  { collection, names }: CompiledCollection,
  { path, parent }: NestedPath,
  shapes: CompiledCollections,
): Record<'list' | 'query' | 'create', ActionInfo> {
  const viewed = path === collection.path ? undefined : shapes.get(parent)?.names
  const prefix = viewed?.item ?? ''
  const { name: tag } = collection
  const ofParent = viewed ? ` of ${viewed.oneItem}` : ''
  return {
    list: {
      operationId: `list${prefix}${names.items}`,
      summary: `List ${names.allItems}${ofParent}`,
      description:
        `Returns a page of ${names.allItems}${ofParent}, by default the first 20. Filters select items, \`sort\` orders ` +
        'them, and links lead to the other pages.',
      tag,
    },
    query: {
      operationId: `query${prefix}${names.items}`,
      summary: `Query ${names.allItems}${ofParent}`,
      description: 'Returns the same page as GET. The query is in the body, so it can be long (RFC 10008).',
      tag,
    },
    create: {
      operationId: `create${prefix}${names.item}`,
      summary: `Create ${names.oneItem}${ofParent}`,
      description:
        `Creates ${names.oneItem}${ofParent} and returns it, with its address in \`Location\`. Send an Idempotency-Key, ` +
        'so that a retry does not create another one.',
      tag,
    },
  }
}

// The value of a parent's field comes from the path; a field of another name is the parent's own
// business.
function parentValue({ collection }: CompiledCollection, variable: string, { params }: ActionContext): unknown {
  return collection.fields[variable]?.fromText(params[variable] ?? '')
}

function createScopeCheck(
  shape: CompiledCollection,
  view: NestedPath,
  variable: string | undefined,
  shapes: CompiledCollections,
): Scope {
  const parent = shapes.get(view.parent)
  if (variable === undefined || !parent) return () => ({ conditions: [] })
  const { condition } = view
  return (call) =>
    chain(requireItem(parent, call.params[variable] ?? '', call), (item): PathScope => {
      const value = columnFor(parent.collection, item.id)
      const sql = condition === undefined ? undefined : { sql: condition, values: [value] }
      return { conditions: [sql ?? { column: variable, operator: 'eq', values: [value] }], parent: item }
    })
}

function itemRoute(shape: CompiledCollection, shapes: CompiledCollections): Route {
  const { collection } = shape
  const { path, parent, scope, publicRead, methods } = collection
  const variable = VARIABLE.exec(path)?.[1]
  // An item below a parent is that of this parent: `/products/2/reviews/1` is not
  // `/products/1/reviews/1`.
  const within = (run: Action['run']): Action['run'] =>
    variable === undefined
      ? run
      : async (call) => {
          await requireItem(getCollection(shapes, parent), call.params[variable] ?? '', call)
          const item = await requireItem(shape, call.params['id'] ?? '', call)
          if (String(item[variable]) !== call.params[variable]) throw missing(collection, call.params['id'] ?? '')
          return run(call)
        }
  const { shown, changed } = buildCacheGroups(collection)
  const info = itemInfo(shape)
  const write = {
    shape,
    scope: `${scope}:write`,
    kind: 'item',
    idempotency: 'none',
    cost: 2,
    accepts: [],
    ...changed,
  } as const
  const read = { ...write, ...shown, scope: publicRead ? undefined : `${scope}:read`, cost: 1 } as const
  const all: Record<Method, Action | undefined> = {
    GET: { ...read, ...info.get, run: within((call) => getItem(shape, call)) },
    POST: undefined,
    PUT: { ...write, ...info.replace, accepts: BODY_TYPES, run: within((call) => replaceItem(shape, call)) },
    PATCH: {
      ...write,
      ...info.update,
      accepts: PATCH_TYPES,
      idempotency: 'optional',
      run: within((call) => patchItem(shape, call)),
    },
    DELETE: { ...write, ...info.delete, run: within((call) => removeItem(shape, call)) },
  }
  const actions: Record<string, Action> = {}
  for (const method of methods) {
    const action = all[method]
    if (action) actions[method] = action
  }
  return route(`${path}/{id}`, actions)
}

function itemInfo({
  collection,
  names,
}: CompiledCollection): Record<'get' | 'replace' | 'update' | 'delete', ActionInfo> {
  const { item, oneItem } = names
  const { name: tag } = collection
  return {
    get: {
      operationId: `get${item}`,
      summary: `Get ${oneItem}`,
      description: `Returns ${oneItem} with its links. Its ETag is what a change sends in \`If-Match\`.`,
      tag,
    },
    replace: {
      operationId: `replace${item}`,
      summary: `Replace ${oneItem}`,
      description:
        `Replaces ${oneItem} and returns the new state. Optional fields that the body omits are removed. Send ` +
        '`If-Match`, so that the change of another client is not lost.',
      tag,
    },
    update: {
      operationId: `update${item}`,
      summary: `Update ${oneItem}`,
      description:
        `Changes the fields of ${oneItem} that the body names and returns the new state. The body is a JSON Merge Patch ` +
        '(RFC 7396) or a JSON Patch (RFC 6902).',
      tag,
    },
    delete: {
      operationId: `delete${item}`,
      summary: `Delete ${oneItem}`,
      description: `Deletes ${oneItem}. The response is 409 as long as others refer to it.`,
      tag,
    },
  }
}
