import type { AnyCondition, Operator } from '../database/conditions.ts'
import type { Selection, Sorting } from '../database/repository.ts'
import { badParameter } from '../failures.ts'
import type { Collection } from '../resources/define.ts'
import type { Stored } from '../resources/fields.ts'

/** A query as it was understood, and as links repeat it. */
export interface PageQuery {
  selection: Selection
  number: number
  size: number
  fields: ReadonlySet<string> | undefined
  embed: readonly string[]
  /** Text of `cursor`; empty: pages by marks, from the beginning. */
  cursor: string | undefined
  /** Filters and sort, which a mark is good for. */
  bound: string
  /** What is not page and size, for the links. */
  kept: Readonly<Record<string, readonly string[]>>
}

export interface QueryOptions {
  /** Overlooks parameters that somebody on the way added; what may be a filter misspelt is refused all the same. */
  lenient: boolean
  /** Names of `fields` that this version shows. */
  visible: readonly string[]
  /** Relations that can be embedded. */
  relations: readonly string[]
}

const DEFAULT_SIZE = 20
const MAX_SIZE = 100
const WINDOW = 10_000
const MAX_SORTS = 5
const MAX_FILTERS = 20
const OPERATORS: readonly Operator[] = ['ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'startsWith']
// Private parameters, and those by which campaigns and traces are followed.
const OVERLOOKED = /^(?:_.*|utm_\w*|gclid|fbclid|msclkid|traceparent|tracestate)$/
const PARAMETER = /^([A-Za-z]\w*)(?:\[(\w+)\])?$/

/** Reads the query of a collection: page, size, sort, fields and filters. Throws a 400 that names the parameter. */
export function readQuery(search: string, collection: Collection, options: QueryOptions): PageQuery {
  return understood(grouped(search), collection, options)
}

/** As `readQuery`, for parameters by name, wherever they stood. */
export function understood(given: Map<string, string[]>, collection: Collection, options: QueryOptions): PageQuery {
  const cursor = take(given, 'cursor', (_, text) => text)
  if (cursor !== undefined && given.has('page')) throw badParameter('page', 'does not go with cursor')
  const number = take(given, 'page', integerParameter) ?? 0
  const wanted = take(given, 'size', integerParameter) ?? DEFAULT_SIZE
  if (wanted < 1) throw badParameter('size', 'must be at least 1')
  const size = Math.min(wanted, MAX_SIZE)
  if (number * size > WINDOW) throw badParameter('page', `must not begin behind entry ${WINDOW}`)
  const sortTexts = given.get('sort') ?? []
  const sort = sortOf(sortTexts, collection)
  given.delete('sort')
  const fieldTexts = listParameter(given, 'fields')
  const fields = fieldTexts && new Set(fieldTexts)
  for (const name of fieldTexts ?? [])
    if (!options.visible.includes(name) && name !== 'id')
      throw badParameter('fields', `names ${name}, which is no field`)
  const embed = embedOf(given, options)
  const kept: Record<string, readonly string[]> = {}
  const conditions: AnyCondition[] = []
  for (const [name, texts] of given) {
    const condition = conditionOf(name, texts, collection)
    if (condition) {
      conditions.push(condition)
      kept[name] = texts
    } else refuseUnknown(name, options)
  }
  if (conditions.length > MAX_FILTERS) throw badParameter('filter', `must be at most ${MAX_FILTERS}`)
  if (sortTexts.length > 0) kept['sort'] = sortTexts
  const bound = JSON.stringify(kept)
  if (fieldTexts) kept['fields'] = [fieldTexts.join(',')]
  if (embed.length > 0) kept['embed'] = [embed.join(',')]
  const selection = { conditions, sort, limit: size, offset: number * size }
  return { selection, number, size, fields, embed, cursor, bound, kept }
}

/** Reads the query of one item: which of its fields, and what beside it. */
export function readItemQuery(search: string, options: QueryOptions): Pick<PageQuery, 'fields' | 'embed'> {
  if (search === '') return { fields: undefined, embed: [] }
  const given = grouped(search)
  const names = listParameter(given, 'fields')
  for (const name of names ?? [])
    if (!options.visible.includes(name) && name !== 'id')
      throw badParameter('fields', `names ${name}, which is no field`)
  const embed = embedOf(given, options)
  for (const name of given.keys()) refuseUnknown(name, options)
  return { fields: names && new Set(names), embed }
}

function refuseUnknown(name: string, { lenient }: QueryOptions): void {
  if (!lenient || !OVERLOOKED.test(name)) throw badParameter(name, 'does not exist', 'UNKNOWN_PARAMETER')
}

function embedOf(given: Map<string, string[]>, { relations }: QueryOptions): readonly string[] {
  const names = listParameter(given, 'embed') ?? []
  for (const name of names) {
    if (relations.includes(name)) continue
    throw badParameter(
      'embed',
      relations.length > 0 ? `must be one of ${relations.join(', ')}` : 'is not for this path',
    )
  }
  return names
}

function grouped(search: string): Map<string, string[]> {
  const given = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const values = given.get(name)
    if (values) values.push(value)
    else given.set(name, [value])
  }
  return given
}

function take<T>(given: Map<string, string[]>, name: string, read: (name: string, text: string) => T): T | undefined {
  const texts = given.get(name)
  if (!texts) return undefined
  given.delete(name)
  const [text = ''] = texts
  if (texts.length > 1) throw badParameter(name, 'must be given once')
  return read(name, text)
}

function integerParameter(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw badParameter(name, 'must be a whole number from 0 on')
  return Number(text)
}

function listParameter(given: Map<string, string[]>, name: string): string[] | undefined {
  const texts = given.get(name)
  given.delete(name)
  const names = texts
    ?.flatMap((text) => text.split(','))
    .map((entry) => entry.trim())
    .filter(Boolean)
  return names?.length ? [...new Set(names)] : undefined
}

// `name`, `-name`, `name,desc`, several by comma or by repetition.
function sortOf(texts: readonly string[], { sort, fields }: Collection): Sorting[] {
  const sorting: { column: string; descending: boolean }[] = []
  for (const word of texts.flatMap((text) => text.split(',')).map((entry) => entry.trim())) {
    const last = sorting.at(-1)
    if ((word === 'asc' || word === 'desc') && last) {
      last.descending = word === 'desc'
      continue
    }
    const descending = word.startsWith('-')
    const column = descending ? word.slice(1) : word
    if (column !== 'id' && (!sort.includes(column) || !Object.hasOwn(fields, column)))
      throw badParameter('sort', `must be one of ${['id', ...sort].join(', ')}`)
    sorting.push({ column, descending })
  }
  if (sorting.length > MAX_SORTS) throw badParameter('sort', `must name at most ${MAX_SORTS} fields`)
  return sorting.flatMap(({ column, descending }): Sorting[] => {
    const { sortColumns, columns = {} } = fields[column] ?? {}
    if (!sortColumns) return [{ column, descending }]
    const suffixes = Object.keys(columns)
    return sortColumns.map((suffix) => ({
      column: column + suffix,
      descending,
      field: column,
      part: suffixes.indexOf(suffix),
    }))
  })
}

function conditionOf(parameter: string, texts: readonly string[], collection: Collection): AnyCondition | undefined {
  const [, column = '', suffix] = PARAMETER.exec(parameter) ?? []
  const field = Object.hasOwn(collection.fields, column) ? collection.fields[column] : undefined
  if (!field || !collection.filters.includes(column)) return undefined
  const operator = suffix === undefined ? 'eq' : OPERATORS.find((known) => known === suffix)
  if (!operator) throw badParameter(parameter, `must use one of the operators ${OPERATORS.join(', ')}`)
  if ((operator === 'contains' || operator === 'startsWith') && field.kind !== 'text')
    throw badParameter(parameter, 'is for fields of text')
  if (operator !== 'eq' && operator !== 'in' && texts.length > 1) throw badParameter(parameter, 'must be given once')
  const words = operator === 'in' ? texts.flatMap((text) => text.split(',')) : texts
  const isPart = operator === 'contains' || operator === 'startsWith'
  if (field.condition) return field.condition(column, operator, words) ?? refuseType(parameter)
  const values = words.map((text): Stored => {
    if (isPart) return text
    const value = field.filter(text)
    return value ?? refuseType(parameter)
  })
  if (operator === 'in' || values.length > 1) return { column, operator: 'in', values }
  return { column, operator, values }
}

function refuseType(parameter: string): never {
  throw badParameter(parameter, 'has a value of the wrong type')
}
