import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { represent } from '@svc/negotiate'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'

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

/** Serves the assets, to everybody and for ever. */
export function assets(): Middleware {
  return (req, res, next) => {
    const { path, fields } = exchangeOf(req)
    const asset = path.startsWith('/assets/') && (req.method === 'GET' || req.method === 'HEAD') && byPath.get(path)
    if (!asset) return next()
    const { type, body } = asset
    represent(req, res, { type, body, headers: fields, cacheControl: 'public, max-age=31536000, immutable' }, next)
  }
}
