import {
  type Action,
  type ActionContext,
  type ActionResult,
  applyPatch,
  BODY_TYPES,
  described,
  formOf,
  inTransaction,
  moment,
  money,
  NO_CONTENT,
  objectSchema,
  PATCH_TYPES,
  type Payload,
  parseJson,
  type Route,
  readValue,
  route,
  toChangeContext,
  validate,
} from '../engine/index.ts'
import { type Cart, type CartLine, cartFields, cartOwner, readCart, writeCart } from './cart.ts'

const takes: Payload = {
  name: 'NewCart',
  schema: objectSchema(cartFields),
  example: { items: [{ productId: 11, quantity: 3 }] },
}

const gives: Payload = {
  name: 'Cart',
  schema: objectSchema({
    ...cartFields,
    total: described(money(), 'Sum of all lines.'),
    updatedAt: described(moment(), 'When the cart was last changed; 1970 if never.'),
  }),
  example: {
    items: [
      {
        productId: 11,
        quantity: 3,
        unitPrice: { amount: '9.99', currency: 'EUR' },
        lineTotal: { amount: '29.97', currency: 'EUR' },
      },
    ],
    total: { amount: '29.97', currency: 'EUR' },
    updatedAt: '2026-01-06T14:00:00.000Z',
  },
  links: { self: '/cart', orders: '/orders' },
}

/** Creates the route of the caller's cart. */
export function cartRoute(): Route {
  const read = {
    scope: 'cart:read',
    kind: 'record',
    record: 'cart',
    tag: 'cart',
    gives,
    accepts: [],
    idempotency: 'none',
    cost: 1,
  } as const
  const write = { ...read, scope: 'cart:write', cost: 2 } as const
  const actions: Record<string, Action> = {
    GET: {
      ...read,
      operationId: 'getCart',
      summary: 'Get the cart',
      description: 'Returns the cart of the caller. A cart that was never changed is empty.',
      run: async (call) => resultOf(await readCart(call.db, cartOwner(call))),
    },
    PUT: {
      ...write,
      operationId: 'replaceCart',
      summary: 'Replace the cart',
      description: 'Replaces the lines of the cart and returns it. Prices are those of the products.',
      takes,
      accepts: BODY_TYPES,
      run: (call) => change(call, () => readValue(call, cartFields, 'cart')),
    },
    PATCH: {
      ...write,
      operationId: 'updateCart',
      summary: 'Update the cart',
      description: 'Changes the lines of the cart by JSON Merge Patch or JSON Patch, and returns it.',
      takes,
      accepts: PATCH_TYPES,
      idempotency: 'optional',
      run: (call) => change(call, ({ items }) => applyPatch(call.bodyType, { items }, parseJson(call.body))),
    },
    DELETE: {
      ...write,
      operationId: 'clearCart',
      summary: 'Clear the cart',
      description: 'Removes all lines from the cart.',
      run: empty,
    },
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
