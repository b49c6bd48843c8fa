import { toRecord } from '@svc/errors'
import { errorSchema, objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import type { Route } from '../../engine/route.ts'
import { catalogPage, type ProblemInfo, problemPage } from '../../formats/pages/problems.ts'
import { CODES, type Code, createExample } from '../../messages/errors.ts'
import { formatMessage, message } from '../../messages/messages.ts'
import { catalogRoutes } from './catalog.ts'

const SUMMARY = {
  code: field.text({ max: 100 }).describe('The code.'),
  status: field.integer({ min: 400, max: 599 }).describe('HTTP status that it is usually sent with.'),
  title: field.text({ max: 100 }).describe('Words of the status.'),
  meaning: field.text({ max: 1000 }).describe('What it means.'),
}

/** /problems and /problems/{code}: every code that the service sends (RFC 9457 §3.1.1). */
export function problemRoutes(): Route[] {
  const { properties, ...schema } = objectSchema({
    ...SUMMARY,
    remedy: field.text({ max: 1000 }).describe('What a client can do about it.'),
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
      page: (view, entries) => catalogPage(view, 'problemCodes', entries),
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

function summarize({ name, status, title, meaning }: ProblemInfo): object {
  return { code: name, status, title, meaning: formatMessage(message(meaning), 'en') }
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
    name: code,
    path,
    status,
    title: example.error,
    meaning: code,
    remedy: `remedy.${remedy}`,
    example,
  }
}

const PLACES: Readonly<Partial<Record<Code, string>>> = {
  INVALID_PARAMETER: '/employees',
  UNKNOWN_PARAMETER: '/employees',
  VALIDATION_FAILED: '/employees',
  BUSINESS_RULE: '/employees/1',
}
