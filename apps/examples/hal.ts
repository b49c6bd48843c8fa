import { page, resource } from '@svc/hal'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

interface Order {
  id: number
  status: 'CREATED' | 'PAID' | 'SHIPPED'
}

const orders: Order[] = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  status: (['PAID', 'SHIPPED', 'CREATED'] as const)[index % 3] ?? 'CREATED',
}))

const order = resource<Order>('order', {
  self: '/orders/{id}',
  links: {
    payment: { href: '/orders/{id}/payment', when: ({ status }) => status === 'CREATED' },
    cancel: { href: '/orders/{id}/cancellation', when: ({ status }) => status !== 'SHIPPED' },
    tracking: { href: '/orders/{id}/tracking', when: ({ status }) => status === 'SHIPPED' },
  },
})

export const app: Express = express()

app.get('/orders', (req, res) => {
  const number = Number(req.query['page'] ?? 0)
  const size = 10
  const items = orders.slice(number * size, (number + 1) * size)
  const orderPage = page(items, { resource: order, path: '/orders', size, number, totalElements: orders.length })
  res.type('application/hal+json').send(orderPage.stringify('hal'))
})

app.get('/orders/:id', (req, res, next) => {
  const match = orders.find(({ id }) => id === Number(req.params.id))
  if (!match) return next()
  res.type('application/hal+json').send(order.stringify(match))
})

startIfMain(app, import.meta.main)
