import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** `/assets/style.3f2a9c1d.css`: another content is another path, so it may be cached for ever. */
  path: string
  type: string
  body: Buffer
}

const folder = new URL('./assets/', import.meta.url)

function load(file: string, type: string): Asset {
  const body = readFileSync(new URL(file, folder))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  const dot = file.lastIndexOf('.')
  return { path: `/assets/${file.slice(0, dot)}.${hash}${file.slice(dot)}`, type, body }
}

/** The style of all pages. */
export const style: Asset = load('style.css', 'text/css; charset=utf-8')

/** What pages do with JavaScript on; all of them work without. */
export const script: Asset = load('page.js', 'text/javascript; charset=utf-8')

/** The icon of all pages. */
export const icon: Asset = load('icon.svg', 'image/svg+xml')

const byPath = new Map([style, script, icon].map((asset) => [asset.path, asset]))

/** The asset with this path, or `undefined`. */
export function assetAt(path: string): Asset | undefined {
  return byPath.get(path)
}
