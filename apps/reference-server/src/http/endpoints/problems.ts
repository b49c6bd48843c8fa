import { type HttpError, toRecord } from '@svc/errors'
import { apiVersions } from '../../domain/versions.ts'
import { integer, text } from '../../engine/fields.ts'
import { described } from '../../engine/modifiers.ts'
import type { Route } from '../../engine/route.ts'
import { errorSchema, objectSchema } from '../../engine/schema.ts'
import { type ProblemInfo, problemPage, problemsPage } from '../../formats/pages/problems.ts'
import { CODES, type Code } from '../../messages/codes.ts'
import { badParameter, type FailureKey, failure, invalid, type ProblemKey } from '../../messages/errors.ts'
import { formatMessage, type MessageKey, message, messageKeys, type Params } from '../../messages/messages.ts'
import { catalogRoutes } from './catalog.ts'

const SUMMARY = {
  code: described(text({ max: 100 }), 'The code.'),
  status: described(integer({ min: 400, max: 599 }), 'HTTP status that it is usually sent with.'),
  title: described(text({ max: 100 }), 'Words of the status.'),
  meaning: described(text({ max: 1000 }), 'What it means.'),
}

/** /problems and /problems/{code}: every code that the service sends (RFC 9457 §3.1.1). */
export function problemRoutes(): Route[] {
  const { properties, ...schema } = objectSchema({
    ...SUMMARY,
    remedy: described(text({ max: 1000 }), 'What a client can do about it.'),
  })
  return catalogRoutes<ProblemInfo>({
    path: '/problems',
    variable: 'code',
    entries: new Map((Object.keys(CODES) as Code[]).map((code) => [toName(code), describe(code)])),
    list: {
      record: 'problems',
      operationId: 'listProblems',
      summary: 'List error codes',
      description: 'Returns all error codes of the service, with their meaning.',
      type: 'ErrorCodes',
      items: 'All error codes.',
      fields: SUMMARY,
      summarize,
      page: problemsPage,
    },
    entry: {
      record: 'problem',
      operationId: 'getProblem',
      summary: 'Get an error code',
      description: 'Returns the meaning of an error code, what a client can do about it, and an example.',
      type: 'ErrorCode',
      schema: { ...schema, properties: { ...Object(properties), example: errorSchema } },
      describe: (info) => ({
        ...summarize(info),
        remedy: formatMessage(message(info.remedy), 'en'),
        example: info.example,
      }),
      page: problemPage,
    },
  })
}

function summarize({ code, status, title, meaning }: ProblemInfo): object {
  return { code, status, title, meaning: formatMessage(message(meaning), 'en') }
}

function toName(code: Code): string {
  return code.toLowerCase().replaceAll('_', '-')
}

function describe(code: Code): ProblemInfo {
  const { status, remedy } = CODES[code]
  const path = `/problems/${toName(code)}`
  const example = toRecord(createExample(code), {
    path: PLACES[code] ?? '/orders/3',
    now: Date.UTC(2026, 10, 21, 7, 30),
  })
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

/** Creates an error with this code, by default from the first message that begins with the code. */
function createExample(code: Code): HttpError {
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

/** A value for each parameter of the messages of examples. */
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
