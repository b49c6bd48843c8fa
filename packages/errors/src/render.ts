import { isPromise } from '../../internal/guard.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { createArgumentError } from '../../internal/options.ts'
import type { ErrorContext } from './error-context.ts'
import { isHeaderValue } from './error-headers.ts'
import type { Format } from './format.ts'
import { toHtml } from './html.ts'
import type { ErrorResponse } from './options.ts'
import { buildProblem } from './problem.ts'
import { type ErrorRecord, stringifyRecord } from './record.ts'
import { toXml } from './xml.ts'

const CONTENT_TYPES: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  'problem+json': 'application/problem+json; charset=utf-8',
  'problem+xml': 'application/problem+xml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/** The URIs of a problem document, which a record does not have. */
export interface ProblemUris {
  problemBaseUrl: string | undefined
  instance: string | undefined
}

/** Builds the response for an error in the selected format. */
export function buildResponse(
  format: Format,
  context: ErrorContext<unknown, unknown>,
  uris: ProblemUris,
): ErrorResponse {
  const contentType = CONTENT_TYPES[format]
  const { record, language } = context
  if (format === 'json') return { contentType, body: stringifyRecord(record) }
  if (format === 'xml') return { contentType, body: toXml('Error', record) }
  if (format === 'html') return { contentType, body: toHtml(record, language) }
  if (format === 'text') return { contentType, body: toText(record) }
  const problem = toProblemDocument(context, uris)
  const isJson = format === 'problem+json'
  return { contentType, body: isJson ? JSON.stringify(problem) : toXml('problem', problem, 'urn:ietf:rfc:7807') }
}

/** Builds the response for a page of the application. */
export function toPage(html: MaybePromise<string>): MaybePromise<ErrorResponse> {
  return isPromise(html) ? html.then(toPage) : { contentType: CONTENT_TYPES.html, body: html }
}

/** Returns the response of the application. Throws a `TypeError` if it cannot be sent. */
export function checkResponse(response: ErrorResponse | undefined): ErrorResponse | undefined {
  if (response === undefined) return undefined
  const { contentType, body } = response
  if (!isHeaderValue(contentType)) throw createArgumentError('errors', 'contentType', 'a header value', contentType)
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw createArgumentError('errors', 'body', 'a string or bytes', body)
  return response
}

function toProblemDocument(
  { classification, record }: ErrorContext<unknown, unknown>,
  { problemBaseUrl, instance }: ProblemUris,
): object {
  return buildProblem(classification, {
    path: record.path,
    now: Date.parse(record.timestamp),
    ...(problemBaseUrl !== undefined && { problemBaseUrl }),
    ...(instance !== undefined && { instance }),
  })
}

/** Formats the record for a terminal. */
function toText(record: ErrorRecord): string {
  const lines = [`${record.status} ${record.error}`, '', record.message]
  if (record.errors) {
    lines.push(
      '',
      ...record.errors.map(
        ({ location, field, detail }) => `- ${[location, field].filter(Boolean).join(' ')}: ${detail}`,
      ),
    )
  }
  lines.push('', ...(record.code ? [`code: ${record.code}`] : []), `path: ${record.path}`, `time: ${record.timestamp}`)
  return `${lines.join('\n')}\n`
}
