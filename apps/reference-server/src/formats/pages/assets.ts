import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { byLanguage, type Language } from '../../messages/locale.ts'
import { groupHeader, HEADER_GROUPS, headerNotes, text } from './texts.ts'

export interface Asset {
  /** `/assets/style.3f2a9c1d.css`: other content has another path, so caches may keep it. */
  path: string
  type: string
  body: Buffer
}

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
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  const dot = file.lastIndexOf('.')
  const extension = file.slice(dot + 1)
  const type = TYPES[extension] ?? 'application/octet-stream'
  return { path: `/assets/${file.slice(0, dot)}.${hash}.${extension}`, type, body }
}

const STYLES = ['base', 'frame', 'parts', 'exchange', 'flow', 'tables', 'forms', 'docs', 'print']

export const style: Asset = loadAsset(
  folder,
  'style.css',
  STYLES.map((part) => `style/${part}.css`),
)

/** The script of all pages. They work without it. */
export const script: Asset = loadAsset(folder, 'page.js', ['highlight.js', 'exchange.js', 'page.js'])

export const icon: Asset = loadAsset(folder, 'icon.svg')

/** The words of scripts about requests and responses, in each language. */
export const notes = byLanguage(createNotes)

function createNotes(language: Language): Asset {
  const headers = Object.entries(headerNotes[language]).map(([name, note]) => [name, [groupHeader(name), note]])
  const groups = HEADER_GROUPS.map((group) => [group, text(language, `group.${group}`)])
  const words = (['request', 'response', 'byteCount', 'milliseconds'] as const).map((key) => [key, text(language, key)])
  const content = [headers, groups, words].map((entries) => Object.fromEntries(entries))
  return createAsset(`notes-${language}.json`, Buffer.from(JSON.stringify(content)))
}

export const scripts = { docs: loadAsset(folder, 'docs.js'), soap: loadAsset(folder, 'soap.js') } as const

/** The assets of the service. Extensions add theirs. */
export const serviceAssets: readonly Asset[] = [style, script, icon, ...Object.values(notes), ...Object.values(scripts)]
