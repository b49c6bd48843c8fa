import { type ChangeContext, failure, requireScope } from '../engine/index.ts'

export const ORDER_STATES = ['CREATED', 'PAID', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const

export type OrderState = (typeof ORDER_STATES)[number]

/** States that may follow a state by a change of the order itself. PAID follows from a payment. */
const NEXT: Readonly<Record<OrderState, readonly OrderState[]>> = {
  CREATED: ['CANCELLED'],
  PAID: ['SHIPPED', 'CANCELLED'],
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  CANCELLED: [],
}

const FULFIL = 'orders:fulfil'

export interface Dated {
  status: OrderState
  shippedAt?: string | undefined
  deliveredAt?: string | undefined
  cancelledAt?: string | undefined
}

/** Brings an order into another state, with the time at which it got there. Refuses what may not follow. */
export function enterState(order: Dated, from: OrderState, { caller, now }: ChangeContext): void {
  const to = order.status
  if (!NEXT[from].includes(to)) throw illegal(from, to)
  if (to === 'SHIPPED' || to === 'DELIVERED') requireScope(caller, FULFIL)
  if (to === 'SHIPPED') order.shippedAt = now
  else if (to === 'DELIVERED') order.deliveredAt = now
  else order.cancelledAt = now
}

/** Whether a caller with these scopes can bring an order into another state by a change of the order itself. */
export function canLeave(from: OrderState, can: (scope: string) => boolean): boolean {
  return NEXT[from].some((to) => to === 'CANCELLED' || can(FULFIL))
}

function illegal(from: OrderState, to: OrderState): Error {
  const allowed = NEXT[from]
  if (allowed.length === 0) return failure('ILLEGAL_TRANSITION.final', { from, to })
  return failure(from === 'CREATED' ? 'ILLEGAL_TRANSITION.toOrPay' : 'ILLEGAL_TRANSITION.to', { from, to, allowed })
}
