import type { Connection } from '../database/connection.ts'
import { failure, noun } from '../messages/errors.ts'
import { requireItem } from './access.ts'
import { type ActionContext, type ActionResult, toItemState } from './action.ts'
import {
  type CompiledCollection,
  type CompiledCollections,
  getCollection,
  toPascalCase,
} from './compiled-collection.ts'
import type { Document, Item } from './define.ts'
import { objectSchema } from './field.ts'
import { type ActionForm, createForm } from './hal.ts'
import { readItemQuery } from './query.ts'
import { BODY_TYPES, readValue } from './read-body.ts'
import { buildCacheGroups, type Route, route } from './route.ts'
import { inTransaction } from './transaction.ts'
import { validate } from './validate.ts'
import { insertItem, MINIMAL, updateItem } from './write.ts'

type DocumentWithForm = Document & { form: ActionForm | undefined }

/** Creates the route of a document below an item: GET, and POST if it is declared. */
export function documentRoute(declared: Document, shapes: CompiledCollections): Route {
  const { path, name, scope, post, example } = declared
  const document = { ...declared, form: post && createForm(name, 'POST', post.fields, post.scope) }
  const parent = getCollection(shapes, document.parent)
  const { shown, changed } = buildCacheGroups(parent.collection, document.groups)
  const payloadName = parent.names.item + toPascalCase(name)
  const exampleParent = { ...parent.collection.example, id: findParentId(declared, parent) } as Item
  const links = { self: path.replace('{id}', String(exampleParent.id)), ...declared.links(exampleParent) }
  const common = {
    kind: 'record',
    record: name,
    tag: parent.collection.name,
    gives: { name: payloadName, schema: objectSchema(declared.gives), example, links },
  } as const
  return route(path, {
    GET: {
      ...common,
      ...shown,
      operationId: `get${payloadName}`,
      summary: declared.summary,
      description: declared.description,
      scope: parent.collection.publicRead ? undefined : `${scope}:read`,
      async run(call) {
        readItemQuery(call.search, { lenient: call.prefer.lenient, visible: [], relations: [] })
        const item = await requireItem(parent, call.params['id'] ?? '', call)
        return toResult(200, document, item, call.db, call)
      },
      ...(declared.deferrable && { later: (_call: ActionContext, type: string) => type === 'application/pdf' }),
    },
    ...(post && {
      POST: {
        ...common,
        ...changed,
        operationId: post.operationId,
        summary: post.summary,
        description: post.description,
        takes: { name: `New${payloadName}`, schema: objectSchema(post.fields), example: post.example },
        scope: post.scope,
        accepts: BODY_TYPES,
        idempotency: post.idempotency ?? 'optional',
        run: (call: ActionContext) => postTo(document, post, parent, shapes, call),
      },
    }),
  })
}

// The example of a document names its parent, unless it is an invoice or the like of the parent's
// own example.
function findParentId({ example }: Document, { collection }: CompiledCollection): unknown {
  return example[`${collection.item}Id`] ?? collection.example.id
}

function postTo(
  document: DocumentWithForm,
  { fields, run }: NonNullable<Document['post']>,
  parent: CompiledCollection,
  shapes: CompiledCollections,
  call: ActionContext,
): Promise<ActionResult> {
  return inTransaction(call, async (work) => {
    const item = await requireItem(parent, call.params['id'] ?? '', work, true)
    call.requireCurrent(toItemState(item))
    // All fields are optional, so the body may be empty.
    const body = call.body.length === 0 ? {} : readValue(call, fields, document.name)
    const values = validate(body, { fields, mode: 'create', lenient: call.prefer.lenient })
    await run(item, values, {
      ...work,
      insert: (name, inserted) => insertItem(getCollection(shapes, name), inserted, work),
      change: (changes) => updateItem(parent, item, { ...item, ...changes }, work),
    })
    if (call.prefer.return === 'minimal') return { ...MINIMAL, status: 201, location: call.path }
    const after = await requireItem(parent, call.params['id'] ?? '', work)
    return { ...(await toResult(201, document, after, work.db, call)), location: call.path, contentLocation: call.path }
  })
}

async function toResult(
  status: number,
  { name, parent, cache, read, links, post, form }: DocumentWithForm,
  item: Item,
  db: Connection,
  call: ActionContext,
): Promise<ActionResult> {
  const value = await read(item, db)
  if (!value) {
    const status = String(item['status'])
    throw failure('NOT_FOUND.document', {
      item: noun(parent.slice(0, -1)),
      id: String(item.id),
      document: noun(name),
      status,
    })
  }
  const isOpen = post?.when?.(item) ?? true
  const record = { kind: 'record', name, value, links: { self: call.path, ...links(item) } } as const
  const content = form && isOpen ? { ...record, form } : record
  // POST changes the parent, so preconditions are checked against its state.
  return { status, cache, ...(post && toItemState(item)), content }
}
