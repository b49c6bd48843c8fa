import type { Language } from '../../messages/locale.ts'
import type { Fields } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { text } from './texts.ts'
import type { PageView } from './view.ts'

interface Link {
  href: string
  title?: string
  templated?: boolean
}

const paging = new Set(['first', 'previous', 'next', 'last'])

/** The relations of a document with what can be done there, but those that turn pages. `forms`: what the page has a form for. */
export function linkList(
  document: Fields,
  { language, site }: PageView,
  forms: Readonly<Record<string, string>>,
): Content {
  const links = Object.entries((document['_links'] ?? {}) as Record<string, Link | Link[]>).flatMap(([rel, value]) => {
    if (paging.has(rel) || rel === 'curies') return []
    return [value]
      .flat()
      .filter(({ templated }) => !templated)
      .map(({ href, title }) => {
        const methods = methodsFor(rel, site.methodsOf(href)).join(' ')
        return html`<li><a href="${forms[rel] ?? href}">${title ?? rel}${methods ? html` <span class="methods">${methods}</span>` : ''}</a></li>`
      })
  })
  return links.length === 0 ? '' : html`<h2>${text(language, 'links')}</h2><ul class="links">${links}</ul>`
}

const CHANGES: Readonly<Record<string, readonly string[]>> = { update: ['PUT', 'PATCH'], delete: ['DELETE'] }
const METHODS = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

// A relation that changes something is for the methods that do it; HEAD and OPTIONS are everywhere.
function methodsFor(rel: string, methods: readonly string[]): readonly string[] {
  return (CHANGES[rel] ?? METHODS).filter((method) => methods.includes(method))
}

/** The way from the root to here, each step a link. */
export function breadcrumbs(path: string, language: Language): Html {
  const steps = path.split('/').filter(Boolean)
  const items = steps.map((step, index) => {
    const name = safeDecode(step)
    const href = `/${steps.slice(0, index + 1).join('/')}`
    return index === steps.length - 1
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
