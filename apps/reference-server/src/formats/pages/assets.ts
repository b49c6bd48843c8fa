import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Representation } from '@svc/negotiate'
import { collections } from '../../domain/collections.ts'
import type { Stage } from '../../engine/request-state.ts'
import { failure } from '../../messages/errors.ts'
import { byLanguage } from '../../messages/locale.ts'
import { getBaseUrl } from '../../security/origin.ts'
import { messageLabels } from './texts.ts'
import type { Asset, SiteConfig } from './view.ts'

const folder = new URL('./assets/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** Loads an asset, under a path that changes with its content. Its name says its type. */
export function loadAsset(directory: URL, file: string, parts: readonly string[] = [file]): Asset {
  return createAsset(file, Buffer.concat(parts.map((part) => readFileSync(new URL(part, directory)))))
}

function createAsset(file: string, body: Buffer): Asset {
  const version = hash('sha256', body).slice(0, 8)
  const dot = file.lastIndexOf('.')
  const extension = file.slice(dot + 1)
  const type = TYPES[extension] ?? 'application/octet-stream'
  return { path: `/assets/${file.slice(0, dot)}.${version}.${extension}`, type, body }
}

const STYLES = ['base', 'frame', 'parts', 'exchange', 'flow', 'tables', 'forms', 'docs', 'print']

export const style: Asset = loadAsset(
  folder,
  'style.css',
  STYLES.map((part) => `style/${part}.css`),
)

/** The script of all pages. They work without it. */
export const script: Asset = loadAsset(folder, 'page.js', [
  'highlight.js',
  'messages.js',
  'forms.js',
  'exchange.js',
  'page.js',
])

export const icon: Asset = loadAsset(folder, 'icon.svg')

/** The words of scripts about requests and responses, in each language. */
export const notes = byLanguage((language) =>
  createAsset(`notes-${language}.json`, Buffer.from(JSON.stringify(messageLabels[language]))),
)

export const scripts = { docs: loadAsset(folder, 'docs.js'), soap: loadAsset(folder, 'soap.js') } as const

// Extensions add theirs.
const serviceAssets: readonly Asset[] = [style, script, icon, ...Object.values(notes), ...Object.values(scripts)]

const DAY = 'public, max-age=86400'
const HOUR = 'public, max-age=3600'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const TEXT = 'text/plain; charset=utf-8'
const OVERVIEW = '/llms.txt'
const ALLOW = 'GET, HEAD, OPTIONS'

/**
 * Serves the files of pages below `/assets/`, and those that programs look for at the root of every
 * site: `/favicon.ico`, `/robots.txt` and `/llms.txt`.
 */
export function siteFiles(site: SiteConfig, added: readonly Asset[]): Stage {
  const files = new Map<string, Representation>([
    ['/favicon.ico', { type: icon.type, body: icon.body, cacheControl: DAY }],
    ['/robots.txt', { type: TEXT, body: writeRobots(site), cacheControl: DAY }],
    [OVERVIEW, { type: TEXT, cacheControl: HOUR }],
  ])
  for (const { path, type, body } of [...serviceAssets, ...added]) {
    if (!path.includes('.')) throw new TypeError(`the path of an asset must have an extension, got ${path}`)
    files.set(path, { type, body, cacheControl: IMMUTABLE })
  }
  return ({ req, method, path }) => {
    // Looking a path up hashes it, and every file has an extension.
    const file = path.includes('.') ? files.get(path) : undefined
    if (!file) return undefined
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: ALLOW, 'Cache-Control': 'no-store' } }
    if (method !== 'GET' && method !== 'HEAD')
      throw failure('METHOD_NOT_ALLOWED.allowed', { method, allowed: ALLOW }, { headers: { Allow: ALLOW } })
    if (path !== OVERVIEW) return { representation: file }
    return { representation: { ...file, body: writeOverview(getBaseUrl(req, site.publicUrl), site) } }
  }
}

function writeRobots({ additions }: SiteConfig): string {
  const unlisted = additions.flatMap(({ unlisted = [] }) => unlisted)
  const rules = unlisted.length > 0 ? unlisted.map((path) => `Disallow: ${path}`) : ['Disallow:']
  return `User-agent: *\n${rules.join('\n')}\n`
}

const overview = readFileSync(new URL('llms.txt', folder), 'utf8')

/**
 * Writes an overview of the API for language models (llmstxt.org). Links are absolute, since it is
 * read out of context.
 */
function writeOverview(base: string, { users, additions, findMethods }: SiteConfig): string {
  const link = (path: string, name: string, says: string): string => `- [${name}](${base}${path}): ${says}`
  const roots = collections.filter(({ path }) => !path.includes('{'))
  const added = additions.flatMap(({ outline = [] }) => outline.map(({ path, name, says }) => link(path, name, says)))
  const demo = users.length > 0 ? [...added, DEMO] : added
  return overview
    .replace('{collections}', roots.map(({ name, path }) => link(path, name, findMethods(path).join(', '))).join('\n'))
    .replace('{demo}', demo.length > 0 ? `\n## Demo\n\n${demo.join('\n')}\n` : '')
    .replaceAll('{base}', base)
}

const DEMO = '- Demo users send Basic credentials, such as `ada:ada-demo` (every scope) or `eve:eve-demo` (reads).'
