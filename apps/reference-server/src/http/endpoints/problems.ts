import { type HttpError, toRecord } from '@svc/errors'
import { apiVersions } from '../../domain/versions.ts'
import { integer, text } from '../../engine/fields.ts'
import { described, group, list } from '../../engine/modifiers.ts'
import { type Payload, type Route, recordRoute } from '../../engine/route.ts'
import { errorSchema, objectSchema } from '../../engine/schema.ts'
import { type ProblemInfo, problemPage, problemsPage } from '../../formats/pages/problems.ts'
import { CODES, type Code } from '../../messages/codes.ts'
import { badParameter, type FailureKey, failure, invalid, type ProblemKey } from '../../messages/errors.ts'
import { formatMessage, type MessageKey, message, messageKeys, type Params } from '../../messages/messages.ts'
import { requireNamed } from './named.ts'

const info = { cache: 'catalogue', tag: 'discovery' } as const

const listInfo = {
  record: 'problems',
  operationId: 'listProblems',
  summary: 'List error codes',
  description: 'Returns all error codes of the service, with their meaning.',
}

const itemInfo = {
  record: 'problem',
  operationId: 'getProblem',
  summary: 'Get an error code',
  description: 'Returns the meaning of an error code, what a client can do about it, and an example.',
}

/** /problems and /problems/{code}: every code that the service sends (RFC 9457 §3.1.1). */
export function problemRoutes(): Route[] {
  const all = (Object.keys(CODES) as Code[]).map(describe)
  const [first] = all
  const byName = new Map(all.map((info) => [nameOf(info.code), info]))
  return [
    recordRoute('/problems', { ...info, ...listInfo, gives: listPayload(all.slice(0, 2)) }, () => ({
      value: { items: all.map(summarize) },
      links: { self: '/problems' },
      page: (view) => problemsPage(view, all),
    })),
    recordRoute(
      '/problems/{code}',
      { ...info, ...itemInfo, ...(first && { gives: itemPayload(first) }) },
      ({ params }) => {
        const info = requireNamed(byName, 'problem', params['code'] ?? '')
        return {
          value: detailOf(info),
          links: { self: info.path, collection: '/problems' },
          page: (view) => problemPage(view, info),
        }
      },
    ),
  ]
}

const SUMMARY = {
  code: described(text({ max: 100 }), 'The code.'),
  status: described(integer({ min: 400, max: 599 }), 'HTTP status that it is usually sent with.'),
  title: described(text({ max: 100 }), 'Words of the status.'),
  meaning: described(text({ max: 1000 }), 'What it means.'),
}

function listPayload(infos: readonly ProblemInfo[]): Payload {
  const fields = { items: described(list(group(SUMMARY)), 'All error codes.') }
  const example = { items: infos.map(summarize) }
  return { name: 'ErrorCodes', schema: objectSchema(fields), example, links: { self: '/problems' } }
}

function itemPayload(info: ProblemInfo): Payload {
  const { properties, ...schema } = objectSchema({
    ...SUMMARY,
    remedy: described(text({ max: 1000 }), 'What a client can do about it.'),
  })
  return {
    name: 'ErrorCode',
    schema: { ...schema, properties: { ...Object(properties), example: errorSchema } },
    example: detailOf(info),
    links: { self: info.path, collection: '/problems' },
  }
}

function detailOf(info: ProblemInfo): Record<string, unknown> {
  return { ...summarize(info), remedy: formatMessage(message(info.remedy), 'en'), example: info.example }
}

function summarize({ code, status, title, meaning }: ProblemInfo): object {
  return { code, status, title, meaning: formatMessage(message(meaning), 'en') }
}

function nameOf(code: Code): string {
  return code.toLowerCase().replaceAll('_', '-')
}

function describe(code: Code): ProblemInfo {
  const { status, remedy } = CODES[code]
  const path = `/problems/${nameOf(code)}`
  const example = toRecord(exampleOf(code), { path: PLACES[code] ?? '/orders/3', now: Date.UTC(2026, 10, 21, 7, 30) })
  return {
    code,
    path,
    status,
    title: example.error,
    meaning: code,
    remedy: `remedy.${remedy}`,
    example,
  }
}

/** A failure with this code, as a request can get it: of the first message that begins with the code. */
function exampleOf(code: Code): HttpError {
  const key = messageKeys.find((name) => name.startsWith(`${code}.`)) ?? code
  if (code === 'VALIDATION_FAILED') return invalid(400, code, [{ pointer: '/name', key: 'REQUIRED.field' }])
  if (code === 'BUSINESS_RULE')
    return invalid(422, code, [{ pointer: '/salary', key: 'RANGE.between', params: { min: 0, max: 10_000_000 } }])
  if (code === 'INVALID_PARAMETER') return badParameter('size', 'INVALID_PARAMETER.least', { min: 1 })
  if (code === 'UNKNOWN_PARAMETER')
    return badParameter('siez', 'UNKNOWN_PARAMETER.name', undefined, message('headline.near', { near: 'size' }))
  if (isSentence(key)) return failure(key as FailureKey, SAMPLES)
  const status = CODES[code].status === 409 ? 409 : 422
  return invalid(status, code, [{ pointer: POINTERS[code] ?? '', key: key as ProblemKey, params: SAMPLES }])
}

function isSentence(key: MessageKey): boolean {
  return /[.?]$/.test(formatMessage(message(key, SAMPLES), 'en'))
}

const PLACES: Readonly<Partial<Record<Code, string>>> = {
  INVALID_PARAMETER: '/employees',
  UNKNOWN_PARAMETER: '/employees',
  VALIDATION_FAILED: '/employees',
  BUSINESS_RULE: '/employees/1',
}

const POINTERS: Readonly<Partial<Record<Code, string>>> = {
  ACCOUNT_NOT_OPEN: '/fromAccountId',
  AMOUNT_MISMATCH: '/amount',
  CATEGORY_CYCLE: '/parentId',
  CURRENCY_MISMATCH: '/amount/currency',
  DATE_ORDER: '/endDate',
  DUPLICATE_VALUE: '/name',
  INSUFFICIENT_FUNDS: '/amount',
  MANAGER_CYCLE: '/managerId',
  REFERENCE_MISMATCH: '/department/name',
  SAME_ACCOUNT: '/toAccountId',
  UNKNOWN_REFERENCE: '/customerId',
}

/** A value for each name that the messages of examples have. */
const SAMPLES: Params = {
  algorithm: 'sha-256',
  allowed: ['CREATED', 'CANCELLED'],
  available: ['application/json', 'application/xml'],
  balance: '10.00 EUR',
  claim: 'exp',
  column: 9,
  count: 100,
  document: message('noun.invoice'),
  expected: 'EUR',
  found: '"}"',
  from: 'EUR',
  header: 'If-Match',
  id: 3,
  index: 0,
  item: message('noun.order'),
  line: 1,
  max: 32,
  maxBytes: 1_048_576,
  method: 'PUT',
  name: 'Sales',
  near: '/employees',
  op: 'remove',
  path: '/name',
  quantity: 5,
  scope: 'orders:write',
  since: '2026-11-21T07:30:00.000Z',
  sources: ['API-Version'],
  start: '2026-11-21',
  status: 'SHIPPED',
  supported: apiVersions.map(({ name }) => name),
  to: 'USD',
  total: '42.00 EUR',
  type: 'text/plain',
  until: '2026-11-21T07:30:00.000Z',
  wait: message('duration.seconds', { count: 30 }),
  window: message('duration.minutes', { count: 1 }),
}
