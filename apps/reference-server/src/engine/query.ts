import { quoted, type Stored } from '../database/connection.ts'
import { badParameters, type Problem, parameterProblem } from '../messages/errors.ts'
import { type Message, message, quoteInput } from '../messages/messages.ts'
import { findNearName, nearHint } from '../messages/near-name.ts'
import type { AnyCondition, Operator } from './conditions.ts'
import type { Collection } from './define.ts'
import { type Field, longReference, reference } from './fields.ts'
import { CURRENCIES } from './money.ts'
import type { Selection, Sorting } from './repository.ts'
import { oneOf, toProblems } from './validate.ts'

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
const OPERATORS: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'startsWith']
const FILTER_SUFFIXES = [...OPERATORS, 'exists']
// Private parameters, and those by which campaigns and traces are followed.
const OVERLOOKED = /^(?:_.*|utm_\w*|gclid|fbclid|msclkid|traceparent|tracestate)$/
const PARAMETER = /^([A-Za-z]\w*)(?:\[(\w+)\])?$/

/** Reads the query of a collection: page, size, sort, fields and filters. Throws a 400 that names all that is wrong. */
export function readQuery(search: string, collection: Collection, options: QueryOptions): PageQuery {
  const given = grouped(search)
  const problems: Problem[] = []
  const cursor = take(given, 'cursor', problems, (text) => text)
  if (cursor !== undefined && given.has('page')) problems.push(parameterProblem('page', 'INVALID_PARAMETER.withCursor'))
  const number = take(given, 'page', problems, parseInteger) ?? 0
  const wanted = take(given, 'size', problems, parseInteger) ?? DEFAULT_SIZE
  if (wanted < 1) problems.push(parameterProblem('size', 'INVALID_PARAMETER.least', { min: 1 }))
  const size = Math.min(wanted, MAX_SIZE)
  if (number * size > WINDOW) problems.push(parameterProblem('page', 'INVALID_PARAMETER.window', { max: WINDOW }))
  const sortTexts = given.get('sort') ?? []
  const sort = sortOf(sortTexts, collection, problems)
  given.delete('sort')
  const fields = fieldsOf(given, options, problems)
  const embed = embedOf(given, options, problems)
  const kept: Record<string, readonly string[]> = {}
  const conditions: AnyCondition[] = []
  for (const [name, texts] of given) {
    const filter = filterOf(name, collection)
    if (!filter) {
      checkUnknown(name, [...PARAMETERS, 'id', ...collection.filters], options, problems)
      continue
    }
    const condition = conditionOf(name, filter, texts, problems)
    if (condition) conditions.push(condition)
    kept[name] = texts
  }
  if (conditions.length > MAX_FILTERS)
    problems.push(parameterProblem('filter', 'INVALID_PARAMETER.tooManyFilters', { count: MAX_FILTERS }))
  if (problems.length > 0) throw badParameters(problems)
  if (sortTexts.length > 0) kept['sort'] = sortTexts
  const bound = JSON.stringify(kept)
  if (fields) kept['fields'] = [[...fields].join(',')]
  if (embed.length > 0) kept['embed'] = [embed.join(',')]
  const selection = { conditions, sort, limit: size, offset: number * size }
  return { selection, number, size, fields, embed, cursor, bound, kept }
}

const PARAMETERS = ['page', 'size', 'cursor', 'sort', 'fields', 'embed']

/** Reads the query of one item: which of its fields, and what beside it. */
export function readItemQuery(search: string, options: QueryOptions): Pick<PageQuery, 'fields' | 'embed'> {
  if (search === '') return { fields: undefined, embed: [] }
  const given = grouped(search)
  const problems: Problem[] = []
  const fields = fieldsOf(given, options, problems)
  const embed = embedOf(given, options, problems)
  for (const name of given.keys()) checkUnknown(name, ['fields', 'embed'], options, problems)
  if (problems.length > 0) throw badParameters(problems)
  return { fields, embed }
}

function checkUnknown(
  name: string,
  names: readonly string[],
  { lenient }: Pick<QueryOptions, 'lenient'>,
  problems: Problem[],
): void {
  if (lenient && OVERLOOKED.test(name)) return
  // `salry[gte]`: the operator is right.
  const bracket = name.indexOf('[')
  const near = findNearName(bracket === -1 ? name : name.slice(0, bracket), names)
  const hint = near && message('headline.near', { near: bracket === -1 ? near : near + name.slice(bracket) })
  problems.push(parameterProblem(quoteInput(name), 'UNKNOWN_PARAMETER.name', undefined, hint || undefined))
}

function fieldsOf(
  given: Map<string, string[]>,
  { visible }: QueryOptions,
  problems: Problem[],
): ReadonlySet<string> | undefined {
  const names = listParameter(given, 'fields')
  const allowed = visible.length === 0 ? [] : ['id', ...visible]
  for (const name of names ?? []) {
    if (allowed.includes(name) || name === 'id') continue
    const problem =
      allowed.length === 0
        ? parameterProblem('fields', 'INVALID_PARAMETER.noFields')
        : parameterProblem(
            'fields',
            'INVALID_PARAMETER.field',
            { name: quoteInput(name), allowed },
            nearHint(name, allowed),
          )
    problems.push(problem)
  }
  return names && new Set(names)
}

/** Rejects the parameters of a request that has no query of its own, before anything happens. */
export function refuseParameters(search: string, lenient: boolean): void {
  if (search === '') return
  const problems: Problem[] = []
  for (const name of new URLSearchParams(search).keys()) checkUnknown(name, [], { lenient }, problems)
  if (problems.length > 0) throw badParameters(problems)
}

function embedOf(given: Map<string, string[]>, { relations }: QueryOptions, problems: Problem[]): readonly string[] {
  const names = listParameter(given, 'embed') ?? []
  for (const name of names) {
    if (relations.includes(name)) continue
    if (relations.length === 0) problems.push(parameterProblem('embed', 'INVALID_PARAMETER.noEmbed'))
    else problems.push(choiceProblem('embed', relations, name))
  }
  return names
}

function choiceProblem(parameter: string, allowed: readonly string[], given: string): Problem {
  const { params, hint } = oneOf(allowed, given)
  return parameterProblem(parameter, 'INVALID_PARAMETER.oneOf', params, hint)
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

function take<T>(
  given: Map<string, string[]>,
  name: string,
  problems: Problem[],
  parse: (text: string) => T | undefined,
): T | undefined {
  const texts = given.get(name)
  if (!texts) return undefined
  given.delete(name)
  const [text = ''] = texts
  if (texts.length > 1) problems.push(parameterProblem(name, 'INVALID_PARAMETER.once'))
  const value = parse(text)
  if (value === undefined) problems.push(parameterProblem(name, 'INVALID_PARAMETER.integer'))
  return value
}

function parseInteger(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
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
function sortOf(texts: readonly string[], { sort, fields }: Collection, problems: Problem[]): Sorting[] {
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
      problems.push(choiceProblem('sort', ['id', ...sort], column))
    else sorting.push({ column, descending })
  }
  if (sorting.length > MAX_SORTS)
    problems.push(parameterProblem('sort', 'INVALID_PARAMETER.tooManySorts', { count: MAX_SORTS }))
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

interface Filter {
  column: string
  field: Field
  /** What stands in brackets. */
  suffix: string | undefined
}

function filterOf(parameter: string, collection: Collection): Filter | undefined {
  const [, column = '', suffix] = PARAMETER.exec(parameter) ?? []
  const field = filterField(column, collection)
  return field && { column, field, suffix }
}

const ID = reference()
const LONG_ID = longReference()

function filterField(column: string, { fields, filters, longIds }: Collection): Field | undefined {
  if (column === 'id') return longIds ? LONG_ID : ID
  return filters.includes(column) && Object.hasOwn(fields, column) ? fields[column] : undefined
}

function conditionOf(
  parameter: string,
  { column, field, suffix }: Filter,
  texts: readonly string[],
  problems: Problem[],
): AnyCondition | undefined {
  const refuse = (problem: Problem): undefined => void problems.push(problem)
  if (suffix === 'exists') {
    const [text] = texts
    if (texts.length > 1) return refuse(parameterProblem(parameter, 'INVALID_PARAMETER.once'))
    if (text === 'true' || text === 'false') return existsCondition(column, text === 'true')
    return refuse(parameterProblem(parameter, 'INVALID_PARAMETER.oneOf', { allowed: ['true', 'false'] }))
  }
  const operator = suffix === undefined ? 'eq' : OPERATORS.find((known) => known === suffix)
  const isPart = operator === 'contains' || operator === 'startsWith'
  if (!operator)
    return refuse(
      parameterProblem(
        parameter,
        'INVALID_PARAMETER.operator',
        { allowed: FILTER_SUFFIXES },
        nearHint(suffix ?? '', FILTER_SUFFIXES),
      ),
    )
  if (isPart && field.kind !== 'text') return refuse(parameterProblem(parameter, 'INVALID_PARAMETER.textOnly'))
  if (operator !== 'eq' && operator !== 'in' && texts.length > 1)
    return refuse(parameterProblem(parameter, 'INVALID_PARAMETER.once'))
  const words = operator === 'in' ? texts.flatMap((text) => text.split(',')) : texts
  if (field.condition) {
    const condition = field.condition(column, operator, words)
    const detail = message('FORMAT.amount', { allowed: CURRENCIES })
    return condition ?? refuse(parameterProblem(parameter, 'INVALID_PARAMETER.value', { detail }))
  }
  const values: Stored[] = []
  for (const word of words) {
    const value = isPart ? word : field.filter(word)
    if (value === undefined) return refuse(valueProblem(parameter, field, word))
    values.push(value)
  }
  if (operator === 'in' || values.length > 1) return { column, operator: 'in', values }
  return { column, operator, values }
}

// `city[exists]=false`: items without the field.
function existsCondition(column: string, isThere: boolean): AnyCondition {
  return { sql: `${quoted(column)} is ${isThere ? 'not ' : ''}null`, values: [] }
}

/** Says what a value of a field must be, in the words that a body would get. */
function valueProblem(parameter: string, { schema, fromText, json }: Field, text: string): Problem {
  const parsed = schema.safeParse(fromText(text), { reportInput: true })
  const [problem] = parsed.success ? [] : toProblems('', parsed.error.issues, json)
  const detail: Message = problem ? message(problem.key, problem.params) : message('FORMAT')
  return parameterProblem(parameter, 'INVALID_PARAMETER.value', { detail }, problem?.hint)
}
