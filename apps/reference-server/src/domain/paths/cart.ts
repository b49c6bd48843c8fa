import type { ActionContext } from '../../engine/action-context.ts'
import { type ActionResult, NO_CONTENT } from '../../engine/action-result.ts'
import { formOf } from '../../engine/forms-of.ts'
import { parseJson } from '../../engine/parse-json.ts'
import { applyPatch, PATCH_TYPES } from '../../engine/patch.ts'
import { BODY_TYPES, readValue } from '../../engine/read-body.ts'
import { type Action, type Route, route } from '../../engine/route.ts'
import { inTransaction } from '../../engine/transaction.ts'
import { validate } from '../../engine/validate.ts'
import { toChangeContext } from '../../engine/write.ts'
import { type Cart, type CartLine, cartFields, cartOwner, readCart, writeCart } from '../cart.ts'

/** The cart of whoever asks. */
export function cartRoute(): Route {
  const read = {
    scope: 'cart:read',
    kind: 'record',
    record: 'cart',
    accepts: [],
    idempotency: 'none',
    cost: 1,
  } as const
  const write = { ...read, scope: 'cart:write', cost: 2 } as const
  const actions: Record<string, Action> = {
    GET: { ...read, run: async (call) => resultOf(await readCart(call.db, cartOwner(call))) },
    PUT: { ...write, accepts: BODY_TYPES, run: (call) => change(call, () => readValue(call, cartFields, 'cart')) },
    PATCH: {
      ...{ ...write, accepts: PATCH_TYPES, idempotency: 'optional' },
      run: (call) => change(call, ({ items }) => applyPatch(call.bodyType, { items }, parseJson(call.body))),
    },
    DELETE: { ...write, run: empty },
  }
  return route('/cart', actions)
}

function change(call: ActionContext, next: (current: Cart) => unknown): Promise<ActionResult> {
  return inTransaction(call, async (db) => {
    const userId = cartOwner(call)
    const current = await readCart(db, userId)
    call.requireCurrent(stateOf(current))
    // A client sends back what it got: what the server works out is overlooked.
    const { total: _, updatedAt: __, ...body } = Object(next(current)) as Record<string, unknown>
    const values = validate(body, { fields: cartFields, mode: 'update', lenient: call.prefer.lenient })
    await writeCart(userId, values['items'] as CartLine[], current, toChangeContext(call, db))
    return resultOf(await readCart(db, userId))
  })
}

async function empty(call: ActionContext): Promise<ActionResult> {
  const userId = cartOwner(call)
  await inTransaction(call, async (db) => {
    const current = await readCart(db, userId)
    call.requireCurrent(stateOf(current))
    await writeCart(userId, [], current, toChangeContext(call, db))
  })
  return NO_CONTENT
}

function resultOf(cart: Cart): ActionResult {
  const { revision: _, ...value } = cart
  const links = { self: '/cart', orders: '/orders' }
  const { version, lastModified } = stateOf(cart)
  const content = { kind: 'record', name: 'cart', value, links, form } as const
  return { status: 200, cache: 'never', version, lastModified, content }
}

const form = formOf('cart', 'PUT', cartFields, 'cart:write')

function stateOf({ revision, updatedAt, total }: Cart): { version: string; lastModified: number } {
  return { version: `${revision}-${total.amount.replace('.', '_')}`, lastModified: Date.parse(updatedAt) }
}
