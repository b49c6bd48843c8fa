import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpError } from '@svc/errors'
import { resource } from '@svc/hal'
import { idempotency } from '@svc/idempotency'
import { mediaType, notAcceptable, sendRepresentation } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import { soap, soapService } from '@svc/soap-envelope'
import { linkPrefix, versioning } from '@svc/versioning'
import { wsdl } from './wsdl.ts'

// What the services of every host have in common: one part of each package.

type Next = (error?: unknown) => void

interface Order {
  id: number
  status: 'PAID' | 'SHIPPED'
  note: string
}

const note = 'Leave it at the front desk. '.repeat(60)
const orders: Order[] = [
  { id: 1, status: 'PAID', note },
  { id: 2, status: 'SHIPPED', note },
]

const order = resource<Order>('order', {
  self: '/orders/{id}',
  links: { cancel: { href: '/orders/{id}/cancellation', when: ({ status }) => status === 'PAID' } },
})

export const api = versioning({ versions: ['1', '2'], default: '1' })
export const limiter = rateLimit('8/1m')
// @ts-expect-error: a rate without a unit that exists does not compile
export const mistyped = (): unknown => rateLimit('8/1x')
export const keyed = idempotency({ required: true })
export const greeter = soap(
  soapService({
    wsdl,
    operations: { greet: ({ visits }: { visits: bigint }) => ({ text: `Hello for the ${visits + 1n}th time` }) },
  }),
)

const formats = ['application/hal+json', 'text/csv'] as const

/** Shows one order in the format that the client prefers, with its tag, coded. */
export function showOrder(req: IncomingMessage, res: ServerResponse, next: Next): void {
  const item = orders.find(({ id }) => String(id) === /\/orders\/(\d+)/.exec(req.url ?? '')?.[1])
  if (!item) return next(httpError(404, 'There is no such order.', { code: 'ORDER_NOT_FOUND' }))
  const type = mediaType(req, formats)
  if (!type) return next(notAcceptable(formats))
  const body = (): string =>
    type === 'text/csv'
      ? `id,status\r\n${item.id},${item.status}\r\n`
      : order.stringify(item, { base: linkPrefix(req) })
  sendRepresentation(req, res, { type, version: 1, vary: ['Accept'], body }, next)
}

/** Adds an order, and says where it is. */
export function addOrder(input: unknown, req: IncomingMessage, res: ServerResponse): void {
  const status = (input as { status?: unknown }).status === 'SHIPPED' ? 'SHIPPED' : 'PAID'
  const added: Order = { id: orders.length + 1, status, note }
  orders.push(added)
  res.statusCode = 201
  res.setHeader('Location', `${linkPrefix(req)}${order.self(added)}`)
  res.setHeader('Content-Type', 'application/hal+json')
  res.end(order.stringify(added))
}
