import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Stage } from '../../engine/stage.ts'

export interface Asset {
  /** `/assets/style.3f2a9c1d.css`: another content is another path, so it may be cached for ever. */
  path: string
  type: string
  body(): Buffer
  /** A script that is no module. */
  isClassic?: boolean
}

const folder = new URL('./assets/', import.meta.url)
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

function load(file: string, type: string, parts: readonly string[] = [file]): Asset {
  const body = Buffer.concat(parts.map((part) => readFileSync(new URL(part, folder))))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  const dot = file.lastIndexOf('.')
  return { path: `/assets/${file.slice(0, dot)}.${hash}${file.slice(dot)}`, type, body: () => body }
}

const STYLES = ['base', 'frame', 'parts', 'tables', 'forms', 'demo', 'docs', 'print']

/** The style of all pages. */
export const style: Asset = load(
  'style.css',
  STYLE,
  STYLES.map((part) => `style/${part}.css`),
)

/** What pages do with JavaScript on; all of them work without. */
export const script: Asset = load('page.js', SCRIPT)

/** The icon of all pages. */
export const icon: Asset = load('icon.svg', 'image/svg+xml')

/** Scripts of single pages. */
export const scripts = {
  docs: load('docs.js', SCRIPT),
  experiment: load('experiment.js', SCRIPT),
  ratelimit: load('ratelimit.js', SCRIPT),
  negotiation: load('negotiation.js', SCRIPT),
  requests: load('requests.js', SCRIPT),
  tokens: load('tokens.js', SCRIPT),
  soap: load('soap.js', SCRIPT),
} as const

/** Swagger UI: large, so it is read when somebody looks at it. */
export const swagger = { script: vendored('swagger-ui-bundle.js', SCRIPT), style: vendored('swagger-ui.css', STYLE) }

// Built, its files stand among ours; from source they are where npm put them.
function vendored(file: string, type: string): Asset {
  let body: Buffer | undefined
  const own = new URL(`swagger/${file}`, folder)
  const read = (): Buffer => {
    body ??= readFileSync(existsSync(own) ? own : createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`))
    return body
  }
  return { path: `/assets/swagger/${file}`, type, body: read, isClassic: type === SCRIPT }
}

const own = new Map([style, script, icon, ...Object.values(scripts)].map((asset) => [asset.path, asset]))
const others = new Map(Object.values(swagger).map((asset) => [asset.path, asset]))
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Serves the assets, to everybody. */
export function assets(): Stage {
  return ({ method, path }) => {
    if (!path.startsWith('/assets/') || (method !== 'GET' && method !== 'HEAD')) return undefined
    const asset = own.get(path) ?? others.get(path)
    if (!asset) return undefined
    const cacheControl = own.has(path) ? FOR_EVER : 'public, max-age=3600'
    return { representation: { type: asset.type, body: asset.body(), cacheControl } }
  }
}
