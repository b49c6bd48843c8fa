import { type HttpError, httpError, isHttpError } from '@svc/errors'
import { invalid } from '../failures.ts'
import type { Call } from './call.ts'
import { parseJson } from './parse-json.ts'
import { listItems, type Scope } from './read.ts'
import type { Result } from './result.ts'
import type { Shape } from './shape.ts'

const NUMBERS = ['page', 'size', 'cursor']
const LISTS = ['sort', 'fields', 'embed']
const MEMBERS = ['filter', ...NUMBERS, ...LISTS]

/**
 * QUERY (RFC 10008): the query of a GET in a body, `{"filter": {"city": "Berlin", "salary": {"gte": 4000}}, "sort":
 * ["-name"]}`. The answer names the URI that repeats it by GET.
 */
export async function queryItems(shape: Shape, call: Call, scope: Scope): Promise<Result> {
  const search = searchOf(parseJson(call.body))
  try {
    const result = await listItems(shape, { ...call, search }, scope)
    return { ...result, location: search === '' ? call.path : `${call.path}?${search}` }
  } catch (error) {
    // The type was understood and the query cannot be processed: 422 (RFC 10008 2.1).
    if (isHttpError(error) && error.status === 400) throw unprocessable(error as HttpError)
    throw error
  }
}

function unprocessable({ message, code, errors }: HttpError): HttpError {
  return httpError(422, message, { code, ...(errors && { errors }) })
}

function searchOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw wrong('', 'must be an object')
  const query = body as Record<string, unknown>
  for (const name of Object.keys(query)) if (!MEMBERS.includes(name)) throw wrong(`/${name}`, 'is not a known field')
  const search = new URLSearchParams()
  for (const name of NUMBERS) if (query[name] !== undefined) search.append(name, String(query[name]))
  for (const name of LISTS) {
    const words = query[name]
    if (words === undefined) continue
    if (!Array.isArray(words)) throw wrong(`/${name}`, 'must be an array')
    search.append(name, words.join(','))
  }
  const { filter = {} } = query
  if (typeof filter !== 'object' || filter === null) throw wrong('/filter', 'must be an object')
  for (const [name, value] of Object.entries(filter)) appendFilter(search, name, value)
  return search.toString()
}

function appendFilter(search: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) search.append(name, String(one))
  else if (typeof value === 'object' && value !== null)
    for (const [operator, operand] of Object.entries(value)) search.append(`${name}[${operator}]`, String(operand))
  else search.append(name, String(value))
}

function wrong(pointer: string, detail: string): HttpError {
  return invalid(400, 'VALIDATION_FAILED', [{ pointer, code: 'TYPE', detail }])
}
