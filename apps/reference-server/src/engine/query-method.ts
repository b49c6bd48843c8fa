import { HttpError } from '@svc/errors'
import { invalid, isCode, type Problem, problemsIn } from '../messages/errors.ts'
import { message } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { ActionContext, ActionResult } from './action.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import { listItems, type Scope } from './read.ts'
import { parseJson } from './read-body.ts'
import { isObject, mustBeObject, pointerTo, requireObject } from './validate.ts'

const NUMBERS = ['page', 'size', 'cursor']
const LISTS = ['sort', 'fields', 'embed']
const MEMBERS = ['filter', ...NUMBERS, ...LISTS]

/** Clients accept header sections of 16 KiB. */
const MAX_LOCATION_LENGTH = 4096

/**
 * QUERY (RFC 10008): the query of a GET in a body, `{"filter": {"city": "Berlin", "salary": {"gte":
 * 4000}}, "sort": ["-name"]}`. The response contains the URI that repeats it by GET, unless that is
 * too long for a header.
 */
export async function queryItems(shape: CompiledCollection, call: ActionContext, scope: Scope): Promise<ActionResult> {
  const search = toSearch(parseJson(call.body))
  try {
    const result = await listItems(shape, { ...call, search }, scope)
    const location = search === '' ? call.path : `${call.path}?${search}`
    return location.length > MAX_LOCATION_LENGTH ? result : { ...result, location }
  } catch (error) {
    // The type was understood and the query cannot be processed: 422 (RFC 10008 2.1).
    if (error instanceof HttpError && error.status === 400) throw unprocessable(error)
    throw error
  }
}

// A parameter of the GET is a place in the body.
function unprocessable(error: HttpError): HttpError {
  const problems = problemsIn(error).map(({ field, ...problem }): Problem => {
    const pointer = findPointer(field ?? '')
    return { ...problem, location: 'body', pointer }
  })
  return invalid(422, isCode(error.code) ? error.code : 'INVALID_PARAMETER', problems)
}

const FILTER = /^([^[]*)\[(.*)\]$/s

function findPointer(parameter: string): string {
  if (MEMBERS.includes(parameter)) return pointerTo(parameter)
  const [, name = parameter, operator] = FILTER.exec(parameter) ?? []
  return `/filter${pointerTo(name)}${operator === undefined ? '' : pointerTo(operator)}`
}

function toSearch(body: unknown): string {
  const query = requireObject(body)
  const problems: Problem[] = []
  for (const name of Object.keys(query))
    if (!MEMBERS.includes(name))
      problems.push({ pointer: pointerTo(name), key: 'UNKNOWN.field', hint: nearHint(name, MEMBERS) })
  const search = new URLSearchParams()
  for (const name of NUMBERS) if (query[name] != null) search.append(name, String(query[name]))
  for (const name of LISTS) {
    const words = query[name]
    if (words == null) continue
    if (Array.isArray(words)) {
      if (words.length > 0) search.append(name, words.join(','))
    } else problems.push({ pointer: `/${name}`, key: 'TYPE.expected', params: { expected: message('word.array') } })
  }
  const filter = query['filter'] ?? {}
  if (!isObject(filter)) problems.push(mustBeObject('/filter'))
  else {
    for (const [name, value] of Object.entries(filter)) {
      // A filter that a URI has no place for must not be omitted: everything would match.
      if (MEMBERS.includes(name)) problems.push({ pointer: `/filter${pointerTo(name)}`, key: 'UNKNOWN.field' })
      else if (isEmpty(value)) problems.push({ pointer: `/filter${pointerTo(name)}`, key: 'LENGTH.empty' })
      else appendFilter(search, name, value)
    }
  }
  if (problems.length > 0) throw invalid(400, 'VALIDATION_FAILED', problems)
  return search.toString()
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const operands = Object.values(value)
  return operands.length === 0 || (!Array.isArray(value) && operands.some(isEmpty))
}

// `null` is a field that an item does not have. Nothing else than true and false of `exists` says
// that in a URI.
function appendFilter(search: URLSearchParams, name: string, value: unknown): void {
  const pointer = `/filter${pointerTo(name)}`
  if (value === null) return search.append(`${name}[exists]`, 'false')
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) search.append(name, toText(item, `${pointer}/${index}`))
  } else if (isObject(value)) {
    for (const [operator, operand] of Object.entries(value)) {
      if (operator === 'ne' && operand === null) search.append(`${name}[exists]`, 'true')
      else appendOperand(search, name, operator, operand)
    }
  } else search.append(name, String(value))
}

function appendOperand(search: URLSearchParams, name: string, operator: string, operand: unknown): void {
  const pointer = `/filter${pointerTo(name)}${pointerTo(operator)}`
  if (!Array.isArray(operand)) return search.append(`${name}[${operator}]`, toText(operand, pointer))
  const texts = operand.map((item, index) => toText(item, `${pointer}/${index}`))
  // A list in a URI is split at its commas, a repeated parameter is not.
  if (operator === 'in' && texts.some((text) => text.includes(','))) for (const text of texts) search.append(name, text)
  else search.append(`${name}[${operator}]`, texts.join(','))
}

// Inside a list, or next to another operator, a URI cannot say that a field is absent: 422.
function toText(value: unknown, pointer: string): string {
  if (typeof value !== 'object') return String(value)
  const expected = message('word.string')
  throw invalid(422, 'INVALID_PARAMETER', [{ pointer, key: 'TYPE.expected', params: { expected } }])
}
