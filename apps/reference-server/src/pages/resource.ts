import { type Template, templateForm } from './form.ts'
import { type Content, type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { type Language, type TextKey, text } from './texts.ts'

type Fields = Record<string, unknown>

export interface ResourceView {
  title: string
  language: Language
  /** The path and the query of the request. */
  target: string
  /** The resource as HAL-FORMS: `_links`, `_embedded`, `_templates` and fields. */
  document: Fields
  /** Media types that the same resource has, for the menu. */
  formats: readonly string[]
  /** Fields of a collection that can be sorted and filtered by. */
  sortable?: readonly string[]
  filterable?: readonly string[]
  request: { method: string; headers: Record<string, string> }
  response: { status: number; headers: Record<string, string> }
}

/** A resource, or a page of them, for people. */
export function resourcePage(view: ResourceView): string {
  const { title, language, target, document } = view
  const path = target.replace(/\?.*$/s, '')
  const collection = collectionOf(document)
  const main = html`${breadcrumbs(path, language)}
<h1>${title}</h1>
${collection ? collectionPart(view, collection) : fieldTable(document)}
${linkList(document, language)}
${embedded(document, collection?.name)}
${Object.entries(templatesOf(document)).map(([name, template]) => templateForm({ name, template, document, path, language, etag: view.response.headers['etag'] }))}
${formatMenu(view)}
${exchange(view)}`
  return layout({ title, language, path, main })
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

interface Collection {
  name: string
  items: Fields[]
}

function collectionOf(document: Fields): Collection | undefined {
  const entries = Object.entries((document['_embedded'] ?? {}) as Fields)
  const [name, items] = entries[0] ?? []
  return 'page' in document && name !== undefined && Array.isArray(items) ? { name, items } : undefined
}

function templatesOf(document: Fields): Record<string, Template> {
  return (document['_templates'] ?? {}) as Record<string, Template>
}

function fieldsOf(document: Fields): [string, unknown][] {
  return Object.entries(document).filter(([name]) => !name.startsWith('_') && name !== 'page')
}

function fieldTable(document: Fields): Html {
  const rows = fieldsOf(document).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${valueOf(value)}</td></tr>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><tbody>${rows}</tbody></table></div>`
}

function valueOf(value: unknown): Content {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="quiet">–</span>`
    if (value.every((entry) => typeof entry !== 'object')) return value.join(', ')
    return itemTable(value as Fields[])
  }
  if (typeof value !== 'object') return String(value)
  const fields = value as Fields
  if ('amount' in fields && 'currency' in fields) return `${String(fields['amount'])} ${String(fields['currency'])}`
  return Object.entries(fields).map(
    ([name, inner], at) => html`${at ? html`<br>` : ''}<span class="quiet">${name}</span> ${valueOf(inner)}`,
  )
}

function itemTable(items: Fields[]): Html {
  const columns = columnsOf(items)
  const rows = items.map((item) => html`<tr>${columns.map((column) => html`<td>${valueOf(item[column])}</td>`)}</tr>`)
  return html`<table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

function columnsOf(items: readonly Fields[]): string[] {
  const columns = new Set(items.flatMap((item) => fieldsOf(item).map(([name]) => name)))
  return [...columns].slice(0, 8)
}

function collectionPart(view: ResourceView, { items }: Collection): Html {
  const { language, document } = view
  const columns = columnsOf(items)
  const heads = columns.map((column) => html`<th scope="col">${sortHead(view, column)}</th>`)
  const rows = items.map((item) => {
    const self = hrefOf(item, 'self')
    return html`<tr>${columns.map((column, at) => {
      const value = valueOf(item[column])
      return html`<td${typeof item[column] === 'number' && at > 0 ? html` class="number"` : ''}>${at === 0 && self ? html`<a href="${self}">${value}</a>` : value}</td>`
    })}</tr>`
  })
  const table = html`<div class="wide" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
  return html`${filterForm(view)}${items.length === 0 ? html`<p class="quiet">${text(language, 'empty')}</p>` : table}${pager(document, language)}`
}

function sortHead({ target, sortable = [] }: ResourceView, column: string): Content {
  if (!sortable.includes(column)) return column
  const url = new URL(target, 'http://localhost')
  const current = url.searchParams.get('sort')
  url.searchParams.set('sort', current === column ? `-${column}` : column)
  url.searchParams.delete('page')
  const mark = current === column ? ' ↑' : current === `-${column}` ? ' ↓' : ''
  return html`<a href="${url.pathname + url.search}">${column}${mark}</a>`
}

function filterForm({ language, target, filterable = [] }: ResourceView): Content {
  if (filterable.length === 0) return ''
  const url = new URL(target, 'http://localhost')
  const active = filterable.some((name) => url.searchParams.has(name))
  const kept = ['sort', 'size'].filter((name) => url.searchParams.has(name))
  const fields = filterable.map(
    (name) => html`<label>${name}<input name="${name}" value="${url.searchParams.get(name) ?? ''}"></label>`,
  )
  return html`<details${active ? html` open` : ''}><summary>${text(language, 'filters')}</summary>
<form method="get" action="${url.pathname}" class="form" data-drop-empty>${kept.map((name) => html`<input type="hidden" name="${name}" value="${url.searchParams.get(name) ?? ''}">`)}${fields}
<span><button>${text(language, 'apply')}</button> <a href="${url.pathname}">${text(language, 'reset')}</a></span></form></details>`
}

function pager(document: Fields, language: Language): Html {
  const page = (document['page'] ?? {}) as { number?: number; totalPages?: number; totalElements?: number }
  const steps: TextKey[] = ['first', 'previous', 'next', 'last']
  const links = steps.map((rel) => {
    const href = hrefOf(document, rel)
    return href === undefined
      ? ''
      : html`<a href="${href}" rel="${rel === 'previous' ? 'prev' : rel}">${text(language, rel)}</a>`
  })
  const where =
    page.totalPages === undefined
      ? ''
      : html`<span class="quiet">${text(language, 'pageOf', { number: (page.number ?? 0) + 1, total: Math.max(page.totalPages, 1) })} · ${text(language, 'entries', { count: page.totalElements ?? 0 })}</span>`
  return html`<nav class="pager" aria-label="${text(language, 'pages')}">${links}${where}</nav>`
}

function hrefOf(document: Fields, rel: string): string | undefined {
  const link = ((document['_links'] ?? {}) as Record<string, { href?: unknown } | undefined>)[rel]
  return typeof link?.href === 'string' ? link.href : undefined
}

const paging = new Set(['first', 'previous', 'next', 'last'])

function linkList(document: Fields, language: Language): Content {
  const links = Object.entries((document['_links'] ?? {}) as Record<string, unknown>).flatMap(([rel, value]) => {
    if (paging.has(rel) || rel === 'curies') return []
    const targets = (Array.isArray(value) ? value : [value]) as { href: string; title?: string; templated?: boolean }[]
    return targets
      .filter(({ templated }) => !templated)
      .map(({ href, title }) => html`<li><a href="${href}">${title ?? rel}</a></li>`)
  })
  return links.length === 0 ? '' : html`<h2>${text(language, 'links')}</h2><ul class="links">${links}</ul>`
}

function embedded(document: Fields, shown: string | undefined): Content {
  const entries = Object.entries((document['_embedded'] ?? {}) as Fields).filter(([name]) => name !== shown)
  return entries.map(([name, value]) => {
    const content = Array.isArray(value)
      ? html`<div class="wide" tabindex="0">${itemTable(value as Fields[])}</div>`
      : fieldTable(value as Fields)
    return html`<h2>${name}</h2>${content}`
  })
}

function formatMenu({ language, formats }: ResourceView): Content {
  const links = formats.map((type) => html`<li><a href="#curl" data-format="${type}">${type}</a></li>`)
  return formats.length === 0
    ? ''
    : html`<h2>${text(language, 'formats')}</h2><ul class="links">${links}</ul><pre id="format" hidden tabindex="0"></pre>`
}

function exchange({ language, target, request, response }: ResourceView): Html {
  const lines = (fields: Record<string, string>): string =>
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  return html`<details><summary>${text(language, 'exchange')}</summary>
<div class="split"><figure><figcaption>${text(language, 'request')}</figcaption><pre tabindex="0">${request.method} ${target} HTTP/1.1
${lines(request.headers)}</pre></figure>
<figure><figcaption>${text(language, 'response')}</figcaption><pre tabindex="0">HTTP/1.1 ${response.status}
${lines(response.headers)}</pre></figure></div></details>
<details id="curl"><summary>${text(language, 'sameCall')}</summary><pre tabindex="0">${curlOf(target)}</pre></details>`
}

function curlOf(target: string): string {
  return `curl -s -u ada:ada-demo -H 'Accept: application/hal+json' 'http://localhost:3000${target.replaceAll("'", '%27')}'`
}
