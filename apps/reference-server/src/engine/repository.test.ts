import { expect, test, vi } from 'vitest'
import type { Connection } from '../database/connection.ts'
import type { Item } from './define.ts'
import { keepItems } from './repository.ts'

const db = {} as Connection

function setUp() {
  const readItem = vi.fn((_db: Connection, id: unknown) => (id === 1 ? ({ id: 1 } as Item) : undefined))
  return { readItem, read: keepItems({ readItem }) }
}

test('an item is read once at a count of changes', () => {
  const { readItem, read } = setUp()
  expect([read(db, 1, 7), read(db, 1, 7)]).toEqual([{ id: 1 }, { id: 1 }])
  expect(readItem).toHaveBeenCalledOnce()
  expect(read(db, 1, 8)).toEqual({ id: 1 })
  expect(readItem).toHaveBeenCalledTimes(2)
})

test('an item is read each time if the count is not known, or there is none', () => {
  const { readItem, read } = setUp()
  read(db, 1, 7)
  read(db, 1, undefined)
  expect(read(db, 2, 7)).toBeUndefined()
  expect(read(db, 2, 7)).toBeUndefined()
  expect(readItem).toHaveBeenCalledTimes(4)
})
