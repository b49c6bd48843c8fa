import { expect, test, vi } from 'vitest'
import type { Changes, Connection } from '../database/connection.ts'
import type { Item } from './define.ts'
import { keepItems } from './keep-items.ts'

const db = {} as Connection
const earlier: Changes = { users: 0 }
const later: Changes = { users: 0 }

function setUp() {
  const readItem = vi.fn((_db: Connection, id: unknown) => (id === 1 ? ({ id: 1 } as Item) : undefined))
  return { readItem, read: keepItems({ readItem }) }
}

test('an item is read once while nothing changes', () => {
  const { readItem, read } = setUp()
  expect([read(db, 1, earlier), read(db, 1, earlier)]).toEqual([{ id: 1 }, { id: 1 }])
  expect(readItem).toHaveBeenCalledOnce()
  expect(read(db, 1, later)).toEqual({ id: 1 })
  expect(readItem).toHaveBeenCalledTimes(2)
})

test('an item is read each time if the changes are not known, or there is none', () => {
  const { readItem, read } = setUp()
  read(db, 1, earlier)
  read(db, 1, undefined)
  expect(read(db, 2, earlier)).toBeUndefined()
  expect(read(db, 2, earlier)).toBeUndefined()
  expect(readItem).toHaveBeenCalledTimes(4)
})
