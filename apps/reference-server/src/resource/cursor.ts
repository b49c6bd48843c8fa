import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RawCondition } from '../database/conditions.ts'
import { quoted } from '../database/query.ts'
import type { Sorting } from '../database/repository.ts'
import { badParameter } from '../failures.ts'
import type { Collection, Item } from '../resources/define.ts'
import type { Stored } from '../resources/fields.ts'

/** Marks of places in a sorted list: opaque, signed, and good for one sorting and one set of filters alone. */
export interface Cursors {
  write(bound: string, place: readonly Stored[]): string
  /** Throws a 400 for what was not written here, or for another query. */
  read(text: string, bound: string): Stored[]
}

const SIGNATURE = 22

/** Signs marks with a key that all processes share. */
export function cursors(key: string): Cursors {
  const sign = (payload: string, bound: string): string =>
    createHmac('sha256', key).update(`${payload}\n${bound}`).digest('base64url').slice(0, SIGNATURE)
  return {
    write(bound, place) {
      const values = place.map((value) => (typeof value === 'bigint' ? { long: String(value) } : value))
      const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
      return payload + sign(payload, bound)
    },
    read(text, bound) {
      const payload = text.slice(0, -SIGNATURE)
      const given = Buffer.from(text.slice(-SIGNATURE))
      const expected = Buffer.from(sign(payload, bound))
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw badParameter('cursor', 'must be one that was given for this query')
      const values = JSON.parse(Buffer.from(payload, 'base64url').toString()) as (Stored | { long: string })[]
      return values.map((value) => (typeof value === 'object' && value !== null ? BigInt(value.long) : value))
    },
  }
}

/** Where an item stands in a sorting. */
export function placeOf(item: Item, sort: readonly Sorting[], { fields, longIds }: Collection): Stored[] {
  const places = sort.map(({ column }): Stored => {
    const value = item[column]
    if (value === undefined || value === null) return null
    return column === 'id' ? Number(value) : (fields[column]?.store(value)[0] ?? null)
  })
  return [...places, longIds ? BigInt(item.id) : Number(item.id)]
}

/** What comes behind a place: absent values stand first when ascending, and the id decides between equals. */
export function behind(place: readonly Stored[], sort: readonly Sorting[]): RawCondition {
  const columns = [...sort, { column: 'id', descending: false }]
  const choices = columns.flatMap((column, at): RawCondition[] => {
    const further = furtherThan(column, place[at] ?? null)
    if (!further) return []
    const equal = columns.slice(0, at).map((before, index) => equalTo(before.column, place[index] ?? null))
    return [allOf([...equal, further])]
  })
  return {
    sql: `(${choices.map(({ sql }) => `(${sql})`).join(' or ')})`,
    values: choices.flatMap(({ values }) => values),
  }
}

function allOf(conditions: readonly RawCondition[]): RawCondition {
  const values = conditions.flatMap((condition) => condition.values)
  return { sql: conditions.map(({ sql }) => sql).join(' and '), values }
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
