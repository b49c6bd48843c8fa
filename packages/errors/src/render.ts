import { isPromise } from '../../internal/guard.ts'
import { inspectValue } from '../../internal/options.ts'
import type { Format } from './format.ts'
import { toHtml } from './html.ts'
import type { ErrorContext, Rendition } from './options.ts'
import { problemOf } from './problem.ts'
import { toText } from './text.ts'
import { toXml } from './xml.ts'

const CONTENT_TYPES: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  'problem+json': 'application/problem+json; charset=utf-8',
  'problem+xml': 'application/problem+xml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/** What a problem document has and a record has not. */
export interface ProblemPart {
  problemBase: string | undefined
  instance: string | undefined
}

/** One error in the shape that was chosen. */
export function renditionOf(format: Format, context: ErrorContext, part: ProblemPart): Rendition {
  return { contentType: CONTENT_TYPES[format], body: bodyOf(format, context, part) }
}

/** A page made by the application. */
export function pageOf(html: string | Promise<string>): Rendition | Promise<Rendition> {
  return isPromise(html) ? html.then(pageOf) : { contentType: CONTENT_TYPES.html, body: html }
}

/** What the application made, once it is sure that it can be sent. Throws a TypeError on what cannot. */
export function checkedRendition(rendition: Rendition | undefined): Rendition | undefined {
  if (rendition === undefined) return undefined
  const { contentType, body } = rendition
  if (typeof contentType !== 'string')
    throw new TypeError(`errors: contentType must be a string, got ${inspectValue(contentType)}`)
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(`errors: body must be a string or bytes, got ${inspectValue(body)}`)
  return rendition
}

function bodyOf(format: Format, context: ErrorContext, part: ProblemPart): string {
  const { record, language } = context
  if (format === 'json') return JSON.stringify(record)
  if (format === 'xml') return toXml('Error', record)
  if (format === 'html') return toHtml(record, language)
  if (format === 'text') return toText(record)
  const problem = problemFrom(context, part)
  return format === 'problem+json' ? JSON.stringify(problem) : toXml('problem', problem, 'urn:ietf:rfc:7807')
}

function problemFrom({ facts, record }: ErrorContext, { problemBase, instance }: ProblemPart): object {
  return problemOf(facts, {
    path: record.path,
    now: Date.parse(record.timestamp),
    ...(problemBase !== undefined && { problemBase }),
    ...(instance !== undefined && { instance }),
  })
}
