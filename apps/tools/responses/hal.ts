import { page, resource } from '@svc/hal'
import type { Responses } from '../responses.ts'

const order = resource('order', { self: '/orders/{id}' })

export const responses: Responses = {
  middlewares: [],
  handler: (_req, res) => {
    const orders = page([{ id: 3 }], { resource: order, path: '/orders', size: 1, number: 1, totalElements: 3 })
    res.setHeader('Link', orders.linkHeader())
    res.end()
  },
  cases: [{ name: '200 page' }],
}
