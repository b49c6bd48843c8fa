import type { IncomingMessage } from 'node:http'
import { language, type Representation } from '@svc/negotiate'
import { DEMO_USERS, type DemoUser } from '../../domain/seed/demo-users.ts'
import { requestStateOf } from '../../engine/request-state.ts'
import type { FindRoute } from '../../engine/route.ts'
import { compileStripVersion } from '../../engine/versions.ts'
import { type Language, languages } from '../../messages/locale.ts'
import { pageSecurity } from '../../security/headers.ts'
import { getBaseUrl } from '../../security/origin.ts'
import type { Html } from './html.ts'
import { type TextKey, text } from './texts.ts'

/** A request, its response and the service, as every page knows them. */
export interface PageView {
  language: Language
  /** The path and the query of the request. */
  target: string
  path: string
  /** The address at which clients reach the service: `http://localhost:3000`. */
  baseUrl: string
  /** Media types that the same resource has. */
  formats: readonly string[]
  request: { method: string; headers: Readonly<Record<string, string>> }
  response: { status: number; headers: Readonly<Record<string, string>> }
  /** The name of the user; `undefined` for a request without credentials. */
  user: string | undefined
  elapsedMs: number
  /** Whether the user can GET a path. */
  canFollow(path: string): boolean
  site: SiteConfig
}

/** A file that pages load. */
export interface Asset {
  /** `/assets/style.3f2a9c1d.css`: other content has another path, so caches may keep it. */
  path: string
  type: string
  body: Buffer
}

export interface Page {
  title: string
  main: Html
  scripts?: readonly Asset[]
  styles?: readonly Asset[]
}

/** Creates the page of a record that a table of its fields would not explain. */
export type PageOf = (view: PageView) => Page

export function selectLanguage(req: IncomingMessage): Language {
  return language(req, languages) ?? 'en'
}

const SECRET = /^(?:set-)?cookie$|token|secret|password|key|(?<!www-)auth/i
const SCHEMED = /^(?:proxy-)?authorization$/i

/** Headers as they may be shown: only the scheme of credentials remains. */
export function maskHeaders(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const line = Array.isArray(value) ? value.join(', ') : String(value)
    const [scheme = ''] = SCHEMED.test(name) ? (/^[A-Za-z]+(?= )/.exec(line) ?? []) : []
    shown[name] = SECRET.test(name) ? `${scheme} ***`.trim() : line
  }
  return shown
}

/**
 * Makes the representation of a page. It shows the request and its user, so that no response can be
 * reused for another request.
 */
export function toPageRepresentation(representation: Representation, req: IncomingMessage): Representation {
  return {
    ...representation,
    version: undefined,
    variant: undefined,
    etag: false,
    lastModified: undefined,
    cacheControl: representation.cacheControl === 'no-store' ? 'no-store' : 'private, no-cache',
    headers: { ...representation.headers, ...pageSecurity },
    language: selectLanguage(req),
    vary: ['Accept', 'Accept-Language'],
  }
}

/** The parts of a view that follow from the request. */
export function createView(req: IncomingMessage, site: SiteConfig): Omit<PageView, 'formats' | 'response'> {
  const { target, targetPath, startedAt, caller } = requestStateOf(req)
  const baseUrl = getBaseUrl(req, site.publicUrl)
  return {
    language: selectLanguage(req),
    target,
    path: targetPath,
    baseUrl,
    request: { method: req.method ?? 'GET', headers: maskHeaders(listHeaders(req, baseUrl)) },
    user: caller?.name,
    elapsedMs: performance.now() - startedAt,
    canFollow: (path) => site.canGet(path, (scope) => caller?.scopes.has(scope) ?? false),
    site,
  }
}

// A page never shows a host other than that of the service, or headers of proxies.
function listHeaders({ headers }: IncomingMessage, baseUrl: string): Record<string, unknown> {
  const shown = Object.entries(headers).filter(([name]) => !/^(?:x-)?forwarded(?:-|$)/.test(name))
  return { ...Object.fromEntries(shown), ...(headers.host !== undefined && { host: new URL(baseUrl).host }) }
}

/** The service as its pages know it. */
export interface SiteConfig {
  /** `''`: the host of each request. */
  publicUrl: string
  /** API versions, oldest first. */
  versions: readonly string[]
  /** Users with public passwords, for everyone to try. */
  users: readonly DemoUser[]
  /** Additions of extensions to the pages of the service. */
  additions: readonly SiteAdditions[]
  /** Returns the methods of a linked resource, as in `Allow`; none if it is external. */
  findMethods(href: string): readonly string[]
  /** Whether a caller with these scopes can GET a path or a template, without its version. */
  canGet(path: string, can: (scope: string) => boolean): boolean
}

/** Creates the site of a service with these routes. A demo has users with public passwords. */
export function createSite(
  { publicUrl, demo }: { publicUrl: string; demo: boolean },
  { findRoute, ...site }: Pick<SiteConfig, 'versions' | 'additions'> & { findRoute: FindRoute },
): SiteConfig {
  const stripVersion = compileStripVersion(site.versions)
  return {
    ...site,
    publicUrl,
    users: demo ? DEMO_USERS : [],
    findMethods(href) {
      const path = href.slice(href.startsWith(publicUrl) ? publicUrl.length : 0).replace(/[?#].*$/, '')
      return findRoute(stripVersion(path))?.route.allow.split(', ') ?? []
    },
    canGet(path, can) {
      const action = findRoute(path.replace(/\{?[?#].*$/s, ''))?.route.methods.get('GET')
      return action !== undefined && (action.scope === undefined || can(action.scope))
    },
  }
}

export interface SiteLink {
  href: string
  label(language: Language): string
}

export function siteLink(href: string, key: TextKey): SiteLink {
  return { href, label: (language) => text(language, key) }
}

/** Additions of an extension to the pages of the service. */
export interface SiteAdditions {
  /** Links in the navigation of every page. */
  navigation?: readonly SiteLink[]
  /** Links to packages in action, by the name of the package. */
  showcases?: Readonly<Record<string, readonly SiteLink[]>>
  /** Path that makes a browser ask for other credentials, `not` and `to` in its query. */
  loginPath?: string
  /** Returns the address of what is recorded about a request. */
  recordHref?(correlationId: string): string
  /** Returns the part of the first page that shows what this server does now. */
  pulse?(language: Language): { content: Html; script: Asset; style: Asset }
  outline?: readonly { path: string; name: string; says: string }[]
  /** Paths that crawlers stay away from. */
  unlisted?: readonly string[]
}
