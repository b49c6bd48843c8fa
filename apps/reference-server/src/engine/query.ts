import { badParameters, type Problem, parameterProblem } from '../messages/errors.ts'
import { message, quoteInput } from '../messages/messages.ts'
import { findNearName, nearHint } from '../messages/near-name.ts'
import type { AnyCondition } from './conditions.ts'
import type { Collection } from './define.ts'
import { findFilter, parseFilter, type Reject } from './filters.ts'
import type { Selection, Sorting } from './repository.ts'
import { describeAllowed } from './validate.ts'

/** A parsed query, with what links repeat of it. */
export interface PageQuery {
  selection: Selection
  number: number
  size: number
  fields: ReadonlySet<string> | undefined
  embed: readonly string[]
  /** Text of `cursor`. Empty for the first page. */
  cursor: string | undefined
  /** Filters and sort, which a cursor is valid for. */
  bound: string
  /** Parameters of links, except page and size. */
  linkParameters: Readonly<Record<string, readonly string[]>>
}

export interface QueryOptions {
  /** Ignores tracking parameters. Others may be misspelled filters and are rejected. */
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
// Private parameters, and those of campaigns and traces.
const TRACKING = /^(?:_.*|utm_\w*|gclid|fbclid|msclkid|traceparent|tracestate)$/

/** Reads the query of a collection. Throws a 400 with all problems. */
export function readQuery(search: string, collection: Collection, options: QueryOptions): PageQuery {
  const parameters = groupParameters(search)
  return collectProblems((reject) => readParameters(parameters, collection, options, reject))
}

function readParameters(
  parameters: Map<string, string[]>,
  collection: Collection,
  options: QueryOptions,
  reject: Reject,
): PageQuery {
  const cursor = take(parameters, 'cursor', reject, (text) => text)
  if (cursor !== undefined && parameters.has('page')) reject('page', 'INVALID_PARAMETER.withCursor')
  const number = take(parameters, 'page', reject, parseInteger) ?? 0
  const wanted = take(parameters, 'size', reject, parseInteger) ?? DEFAULT_SIZE
  if (wanted < 1) reject('size', 'INVALID_PARAMETER.least', { min: 1 })
  const size = Math.min(wanted, MAX_SIZE)
  if (number * size > WINDOW) reject('page', 'INVALID_PARAMETER.window', { max: WINDOW })
  const sortTexts = parameters.get('sort') ?? []
  const sort = parseSort(sortTexts, collection, reject)
  parameters.delete('sort')
  const fields = takeFields(parameters, options, reject)
  const embed = takeEmbed(parameters, options, reject)
  const linkParameters: Record<string, readonly string[]> = {}
  const conditions: AnyCondition[] = []
  for (const [name, texts] of parameters) {
    const filter = findFilter(name, collection)
    if (!filter) {
      checkUnknown(name, [...PARAMETERS, 'id', ...collection.filters], options, reject)
      continue
    }
    const condition = parseFilter(name, filter, texts, reject)
    if (condition) conditions.push(condition)
    linkParameters[name] = texts
  }
  if (conditions.length > MAX_FILTERS) reject('filter', 'INVALID_PARAMETER.tooManyFilters', { count: MAX_FILTERS })
  if (sortTexts.length > 0) linkParameters['sort'] = sortTexts
  const bound = JSON.stringify(linkParameters)
  if (fields) linkParameters['fields'] = [[...fields].join(',')]
  if (embed.length > 0) linkParameters['embed'] = [embed.join(',')]
  const selection = { conditions, sort, limit: size, offset: number * size }
  return { selection, number, size, fields, embed, cursor, bound, linkParameters }
}

const PARAMETERS = ['page', 'size', 'cursor', 'sort', 'fields', 'embed']

/** Reads the query of one item: its fields and embedded items. */
export function readItemQuery(search: string, options: QueryOptions): Pick<PageQuery, 'fields' | 'embed'> {
  if (search === '') return { fields: undefined, embed: [] }
  const parameters = groupParameters(search)
  return collectProblems((reject) => {
    const fields = takeFields(parameters, options, reject)
    const embed = takeEmbed(parameters, options, reject)
    for (const name of parameters.keys()) checkUnknown(name, ['fields', 'embed'], options, reject)
    return { fields, embed }
  })
}

function checkUnknown(
  name: string,
  names: readonly string[],
  { lenient }: Pick<QueryOptions, 'lenient'>,
  reject: Reject,
): void {
  if (lenient && TRACKING.test(name)) return
  // `salry[gte]`: the operator is right.
  const bracket = name.indexOf('[')
  const near = findNearName(bracket === -1 ? name : name.slice(0, bracket), names)
  const hint = near && message('headline.near', { near: bracket === -1 ? near : near + name.slice(bracket) })
  reject(quoteInput(name), 'UNKNOWN_PARAMETER.name', undefined, hint || undefined)
}

function takeFields(
  parameters: Map<string, string[]>,
  { visible }: QueryOptions,
  reject: Reject,
): ReadonlySet<string> | undefined {
  const names = listParameter(parameters, 'fields')
  const allowed = visible.length === 0 ? [] : ['id', ...visible]
  for (const name of names ?? []) {
    if (allowed.includes(name)) continue
    if (allowed.length === 0) reject('fields', 'INVALID_PARAMETER.noFields')
    else reject('fields', 'INVALID_PARAMETER.field', { name: quoteInput(name), allowed }, nearHint(name, allowed))
  }
  return names && new Set(names)
}

/** Rejects all parameters, for a path without a query, before anything happens. */
export function rejectParameters(search: string, lenient: boolean): void {
  collectProblems((reject) => {
    for (const name of new URLSearchParams(search).keys()) checkUnknown(name, [], { lenient }, reject)
  })
}

// Reads all of a query before it is rejected, so that the error names everything that is wrong.
function collectProblems<T>(read: (reject: Reject) => T): T {
  const problems: Problem[] = []
  const result = read((...problem) => void problems.push(parameterProblem(...problem)))
  if (problems.length > 0) throw badParameters(problems)
  return result
}

function takeEmbed(parameters: Map<string, string[]>, { relations }: QueryOptions, reject: Reject): readonly string[] {
  const names = listParameter(parameters, 'embed') ?? []
  for (const name of names) {
    if (relations.includes(name)) continue
    if (relations.length === 0) reject('embed', 'INVALID_PARAMETER.noEmbed')
    else rejectChoice('embed', relations, name, reject)
  }
  return names
}

function rejectChoice(parameter: string, allowed: readonly string[], choice: string, reject: Reject): void {
  const { params, hint } = describeAllowed(allowed, choice)
  reject(parameter, 'INVALID_PARAMETER.oneOf', params, hint)
}

function groupParameters(search: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

function take<T>(
  parameters: Map<string, string[]>,
  name: string,
  reject: Reject,
  parse: (text: string) => T | undefined,
): T | undefined {
  const texts = parameters.get(name)
  if (!texts) return undefined
  parameters.delete(name)
  const [text = ''] = texts
  if (texts.length > 1) reject(name, 'INVALID_PARAMETER.once')
  const value = parse(text)
  if (value === undefined) reject(name, 'INVALID_PARAMETER.integer')
  return value
}

function parseInteger(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function listParameter(parameters: Map<string, string[]>, name: string): string[] | undefined {
  const texts = parameters.get(name)
  parameters.delete(name)
  const names = texts
    ?.flatMap((text) => text.split(','))
    .map((entry) => entry.trim())
    .filter(Boolean)
  return names?.length ? [...new Set(names)] : undefined
}

// `name`, `-name`, `name,desc`, several by comma or by repetition.
function parseSort(texts: readonly string[], { sort, fields }: Collection, reject: Reject): Sorting[] {
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
      rejectChoice('sort', ['id', ...sort], column, reject)
    else sorting.push({ column, descending })
  }
  if (sorting.length > MAX_SORTS) reject('sort', 'INVALID_PARAMETER.tooManySorts', { count: MAX_SORTS })
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
