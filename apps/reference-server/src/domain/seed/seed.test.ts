import { expect, test } from 'vitest'
import demoData from './demo-data.json' with { type: 'json' }

type Row = Record<string, string | number | null>

function toRows({ columns, rows }: { columns: string[]; rows: (string | number | null)[][] }): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
}

const orders = toRows(demoData.orders)
const lines = Map.groupBy(toRows(demoData.order_items), (line) => line['orderId'])

test('every row has a value for each column', () => {
  for (const { columns, rows } of Object.values(demoData))
    expect(rows.filter((row: unknown[]) => row.length !== columns.length)).toEqual([])
})

test('an order is the sum of its lines, at the prices of the products', () => {
  const products = toRows(demoData.products)
  for (const [index, order] of orders.entries()) {
    const amounts = lines.get(index + 1)?.map(({ productId, quantity, unitPrice }) => {
      expect(unitPrice).toBe(products[Number(productId) - 1]?.['price'])
      return Number(quantity) * Number(unitPrice)
    })
    expect(order['total']).toBe(amounts?.reduce((sum, amount) => sum + amount, 0))
  }
})

test('a paid order has one payment of its total, and no other order has one', () => {
  const paid = orders.flatMap(({ total, paidAt }, index) => (paidAt === null ? [] : [[index + 1, total]]))
  expect(toRows(demoData.payments).map(({ orderId, amount }) => [orderId, amount])).toEqual(paid)
})

test('an account has what it began with and what was transferred', () => {
  const transfers = toRows(demoData.transfers)
  for (const [index, { balance }] of toRows(demoData.accounts).entries()) {
    const moved = transfers.map(({ fromAccountId, toAccountId, amount }) =>
      fromAccountId === index + 1 ? -Number(amount) : toAccountId === index + 1 ? Number(amount) : 0,
    )
    expect(balance).toBe(moved.reduce((sum, amount) => sum + amount, 1_000_000))
  }
})
