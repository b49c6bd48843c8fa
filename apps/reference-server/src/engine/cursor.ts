import { createHmac, timingSafeEqual } from 'node:crypto'
import { quoted, type Stored } from '../database/connection.ts'
import { badParameter } from '../messages/errors.ts'
import type { RawCondition } from './conditions.ts'
import type { Collection, Item } from './define.ts'
import type { Sorting } from './repository.ts'

/** A position in a sorted list, and the direction of the page from it. */
export interface Position {
  place: readonly Stored[]
  isBackward: boolean
}

/** Signed cursors of positions in a sorted list, valid for one sort order and its filters. */
export interface Cursors {
  write(bound: string, position: Position): string
  /** Throws a 400 if the cursor is not from here, or from another query. */
  read(text: string, bound: string): Position
}

const SIGNATURE = 22

/** Creates cursors that are signed with a key which all processes share. */
export function cursors(key: string): Cursors {
  const sign = (payload: string, bound: string): string =>
    createHmac('sha256', key).update(`${payload}\n${bound}`).digest('base64url').slice(0, SIGNATURE)
  return {
    write(bound, { place, isBackward }) {
      const values = place.map((value) => (typeof value === 'bigint' ? { long: String(value) } : value))
      const payload = Buffer.from(JSON.stringify([isBackward, ...values])).toString('base64url')
      return payload + sign(payload, bound)
    },
    read(text, bound) {
      const payload = text.slice(0, -SIGNATURE)
      const actual = Buffer.from(text.slice(-SIGNATURE))
      const expected = Buffer.from(sign(payload, bound))
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
        throw badParameter('cursor', 'INVALID_PARAMETER.cursor')
      const [isBackward, ...values]: Payload = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const place = values.map((value) => (typeof value === 'object' && value !== null ? BigInt(value.long) : value))
      return { place, isBackward }
    },
  }
}

type Payload = [isBackward: boolean, ...values: (Stored | { long: string })[]]

/** Adds the id to a sort order, so that no two items are equal. */
export function totalOrder(sort: readonly Sorting[]): readonly Sorting[] {
  return sort.some(({ column }) => column === 'id') ? sort : [...sort, { column: 'id', descending: false }]
}

/** Reverses a sort order. */
export function reversed(sort: readonly Sorting[]): Sorting[] {
  return sort.map((sorting) => ({ ...sorting, descending: !sorting.descending }))
}

/** Returns the position of an item in a sort order. */
export function toPosition(item: Item, sort: readonly Sorting[], { fields, longIds }: Collection): Stored[] {
  return sort.map(({ column, field = column, part = 0 }): Stored => {
    if (column === 'id') return longIds ? BigInt(item.id) : Number(item.id)
    const value = item[field]
    return value === undefined || value === null ? null : (fields[field]?.store(value)[part] ?? null)
  })
}

/** Returns the condition for items after a position. Ascending, absent values come first. */
export function behind(place: readonly Stored[], sort: readonly Sorting[]): RawCondition {
  const choices = sort.flatMap((column, position): RawCondition[] => {
    const further = furtherThan(column, place[position] ?? null)
    if (!further) return []
    const equal = sort.slice(0, position).map((before, index) => equalTo(before.column, place[index] ?? null))
    return [join([...equal, further], ' and ')]
  })
  return join(choices, ' or ')
}

function join(conditions: readonly RawCondition[], operator: string): RawCondition {
  const values = conditions.flatMap((condition) => condition.values)
  return { sql: `(${conditions.map(({ sql }) => sql).join(operator)})`, values }
}

function equalTo(column: string, value: Stored): RawCondition {
  if (value === null) return { sql: `${quoted(column)} is null`, values: [] }
  return { sql: `${quoted(column)} = ?`, values: [value] }
}

function furtherThan({ column, descending }: Sorting, value: Stored): RawCondition | undefined {
  const name = quoted(column)
  if (value === null) return descending ? undefined : { sql: `${name} is not null`, values: [] }
  return { sql: descending ? `(${name} < ? or ${name} is null)` : `${name} > ?`, values: [value] }
}
