import type { Fields } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { type Language, text } from './texts.ts'

/** Where a relation of a document leads. */
export function hrefOf(document: Fields, rel: string): string | undefined {
  const link = ((document['_links'] ?? {}) as Record<string, { href?: unknown } | undefined>)[rel]
  return typeof link?.href === 'string' ? link.href : undefined
}

const paging = new Set(['first', 'previous', 'next', 'last'])

/** The relations of a document, but those that turn pages. */
export function linkList(document: Fields, language: Language): Content {
  const links = Object.entries((document['_links'] ?? {}) as Record<string, unknown>).flatMap(([rel, value]) => {
    if (paging.has(rel) || rel === 'curies') return []
    const targets = (Array.isArray(value) ? value : [value]) as { href: string; title?: string; templated?: boolean }[]
    return targets
      .filter(({ templated }) => !templated)
      .map(({ href, title }) => html`<li><a href="${href}">${title ?? rel}</a></li>`)
  })
  return links.length === 0 ? '' : html`<h2>${text(language, 'links')}</h2><ul class="links">${links}</ul>`
}

/** The way from the root to here, each step a link. */
export function breadcrumbs(path: string, language: Language): Html {
  const steps = path.split('/').filter(Boolean)
  const items = steps.map((step, at) => {
    const name = safeDecode(step)
    const href = `/${steps.slice(0, at + 1).join('/')}`
    return at === steps.length - 1
      ? html`<li aria-current="page">${name}</li>`
      : html`<li><a href="${href}">${name}</a></li>`
  })
  return html`<nav class="crumbs" aria-label="${text(language, 'breadcrumbs')}"><ol><li><a href="/">${text(language, 'overview')}</a></li>${items}</ol></nav>`
}

function safeDecode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
