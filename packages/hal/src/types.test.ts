import { type HalLink, page, resource } from '@svc/hal'
import type { HalLink as ForeignLink, HalResource } from 'hal-types'
import { expect, expectTypeOf, test } from 'vitest'

interface Order {
  id: number
  status: string
  lines: { sku: string }[]
}

const line = resource<{ sku: string }>('line', { self: '/lines/{sku}' })
const order = resource('order', {
  self: (o: Order) => `/orders/${o.id}`,
  links: {
    cancel: { href: '/orders/{id}/cancellation', when: (o) => o.status === 'PAID' },
    items: { href: (o) => o.lines.map(({ sku }) => `/lines/${sku}`), many: true },
  },
  embeds: { lines: { resource: line, from: (o) => o.lines, many: true } },
})
const item: Order = { id: 1, status: 'PAID', lines: [{ sku: 'a' }] }

test('the type of a document has relations, their cardinality and embeds', () => {
  const document = order.render(item)
  expectTypeOf(document.status).toEqualTypeOf<string>()
  expectTypeOf(document._links.self).toEqualTypeOf<HalLink>()
  expectTypeOf(document._links.cancel).toEqualTypeOf<HalLink | undefined>()
  expectTypeOf(document._links.items).toEqualTypeOf<HalLink[] | undefined>()
  expectTypeOf(document._embedded?.lines?.[0]?.sku).toEqualTypeOf<string | undefined>()
  // @ts-expect-error no such relation
  expect(document._links.refund).toBeUndefined()
})

test('the type of a document has what `state` returns, and embeds by their resource and cardinality', () => {
  const short = resource('order', {
    self: (o: Order) => `/orders/${o.id}`,
    state: ({ id }) => ({ id }),
    embeds: {
      first: { resource: line, from: (o) => o.lines[0] },
      lines: { resource: line, from: (o) => o.lines[0], many: true },
    },
  })
  const outer = resource('page', {
    self: (_: { order: Order }) => '/page',
    embeds: { order: { resource: short, from: ({ order }) => order } },
  })
  const document = short.render(item)
  expectTypeOf(document.id).toEqualTypeOf<number>()
  expectTypeOf(document._embedded?.first?.sku).toEqualTypeOf<string | undefined>()
  expectTypeOf(document._embedded?.lines?.[0]?._links.self).toEqualTypeOf<HalLink | undefined>()
  expectTypeOf(outer.render({ order: item })._embedded?.order?.id).toEqualTypeOf<number | undefined>()
  const [listed] = page([item], { resource: short, path: '/orders', size: 1 }).render('hal')._embedded['orders'] ?? []
  expectTypeOf(listed?.id).toEqualTypeOf<number | undefined>()
  // @ts-expect-error the state has no status
  expect([document.status, document._embedded?.lines]).toMatchObject([undefined, [{ sku: 'a' }]])
  // @ts-expect-error the state of the embedded resource has no status
  expect(outer.render({ order: item })._embedded?.order?.status).toBeUndefined()
  // @ts-expect-error the state of the items has no status
  expect(listed?.status).toBeUndefined()
})

test('a state of an item with an explicit type is an object', () => {
  const secret = resource<Order>('order', { self: '/orders/{id}', state: ({ id }) => ({ id }) })
  // @ts-expect-error the type of the state is not known
  expect(secret.render(item).status).toBeUndefined()
})

test('an embed gives its resource items of its type', () => {
  const embeds = { lines: { resource: line, from: (o: Order) => o.status } }
  // @ts-expect-error a status is not a line
  expect(resource('order', { self: (o: Order) => `/orders/${o.id}`, embeds }).name).toBe('order')
})

test('documents and pages are assignable to HalResource of hal-types', () => {
  const document: HalResource<Order> = order.render(item)
  const link: ForeignLink = order.render(item)._links.self
  const list: HalResource = page([item], { resource: order, path: '/orders', size: 1 }).render('hal')
  expect([document._links?.['self'], list._links?.['next']]).toEqual([link, { href: '/orders?page=1&size=1' }])
})

test('a context with required properties must be passed', () => {
  const guarded = resource<Order, { base?: string; can: (scope: string) => boolean }>('order', {
    self: '/orders/{id}',
    links: { cancel: { href: '/x', when: (_, { can }) => can('write') } },
  })
  // @ts-expect-error the context is missing
  expect(() => guarded.render(item)).toThrow(TypeError)
  expect(guarded.render(item, { can: () => true })._links.cancel).toEqual({ href: '/x' })
  const options = { resource: guarded, path: '/orders', size: 1 }
  // @ts-expect-error the context is missing
  expect(() => page([item], options).render()).toThrow(TypeError)
  expect(page([item], { ...options, context: { can: () => true } }).page.size).toBe(1)
})
