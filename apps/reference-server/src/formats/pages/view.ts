import type { IncomingMessage } from 'node:http'
import { language } from '@svc/negotiate'
import { requestStateOf } from '../../engine/request-state.ts'
import { type Language, languages } from '../../messages/locale.ts'
import { originOf } from '../../security/origin.ts'
import type { Asset } from './assets.ts'
import type { Html } from './html.ts'
import type { Site } from './site.ts'

/** What every page knows about the request that it answers. */
export interface PageView {
  language: Language
  /** The path and the query of the request. */
  target: string
  path: string
  /** Where clients reach the service: `http://localhost:3000`. */
  origin: string
  /** Media types that the same resource has. */
  formats: readonly string[]
  request: { method: string; headers: Readonly<Record<string, string>> }
  response: { status: number; headers: Readonly<Record<string, string>> }
  /** Who asks; `undefined`: nobody that we know. */
  user: string | undefined
  /** Milliseconds since the request arrived. */
  elapsedMs: number
  site: Site
}

/** What a page of its own kind shows. */
export interface Page {
  title: string
  main: Html
  /** Scripts beside the one that all pages have. */
  scripts?: readonly Asset[]
  styles?: readonly Asset[]
}

/** Makes a page; for records that are more to people than a table of their fields. */
export type PageOf = (view: PageView) => Page

/** The language of a page for a request. */
export function languageOf(req: IncomingMessage): Language {
  return language(req, languages) ?? 'en'
}

const SECRET = /^(?:authorization|proxy-authorization|cookie|set-cookie|idempotency-key)$|token|secret|password/i

/** Fields as they may be shown: credentials keep their scheme alone. */
export function maskedFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    shown[name] = SECRET.test(name) ? `${/^[A-Za-z]+(?= )/.exec(text)?.[0] ?? ''} ***`.trim() : text
  }
  return shown
}

/** The parts of a view that follow from the request alone. */
export function viewOf(
  req: IncomingMessage,
  site: Site,
): Pick<PageView, 'language' | 'target' | 'path' | 'origin' | 'request' | 'elapsedMs' | 'site'> {
  const { target, startedAt } = requestStateOf(req)
  return {
    language: languageOf(req),
    target,
    path: target.replace(/\?.*$/s, ''),
    origin: originOf(req, site.publicUrl),
    request: { method: req.method ?? 'GET', headers: maskedFields(req.headers) },
    elapsedMs: performance.now() - startedAt,
    site,
  }
}
