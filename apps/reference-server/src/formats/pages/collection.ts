import type { Language } from '../../messages/locale.ts'
import { cell, type Fields, getHref, isQuantity, listColumns, type ReferenceLink } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { type TextKey, text } from './texts.ts'

export interface CollectionView {
  language: Language
  /** The path and the query of the request. */
  target: string
  document: Fields
  linkReference?: ReferenceLink | undefined
  /** Fields that can be sorted and filtered by. */
  sortable?: readonly string[]
  filterable?: readonly string[]
}

/** The items of a page: filters, a table whose heads sort, and the way to the other pages. */
export function collectionTable(view: CollectionView, items: readonly Fields[]): Html {
  const { language, document } = view
  const columns = listColumns(items)
  const kinds = new Map(columns.map((column) => [column, columnClass(column, items)]))
  const heads = columns.map((column) => html`<th scope="col"${kinds.get(column)}>${sortHead(view, column)}</th>`)
  const rows = items.map((item) => {
    const self = getHref(item, 'self')
    return html`<tr>${columns.map((column, index) => {
      const value = cell(column, item[column], view)
      return html`<td dir="auto"${kinds.get(column)}>${index === 0 && self ? html`<a href="${self}">${value}</a>` : value}</td>`
    })}</tr>`
  })
  const table = html`<div class="wide" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
  return html`${filterForm(view)}${items.length === 0 ? emptyView(view) : table}${pager(document, language)}`
}

function emptyView({ language, target }: CollectionView): Html {
  const [path] = target.split('?')
  const reset = path === target ? '' : html` <a href="${path}">${text(language, 'reset')}</a>`
  return html`<p class="empty">${text(language, 'empty')}${reset}</p>`
}

// Numbers are aligned digit by digit.
function columnClass(column: string, items: readonly Fields[]): Content {
  return isQuantity(column) && typeof items[0]?.[column] === 'number' ? html` class="number"` : ''
}

function sortHead({ target, sortable = [] }: CollectionView, column: string): Content {
  if (!sortable.includes(column)) return column
  const url = new URL(target, 'http://localhost')
  const current = url.searchParams.get('sort')
  url.searchParams.set('sort', current === column ? `-${column}` : column)
  url.searchParams.delete('page')
  const mark = current === column ? ' ↑' : current === `-${column}` ? ' ↓' : ''
  return html`<a href="${url.pathname + url.search}">${column}${mark}</a>`
}

function filterForm({ language, target, filterable = [] }: CollectionView): Content {
  if (filterable.length === 0) return ''
  const url = new URL(target, 'http://localhost')
  const active = filterable.some((name) => url.searchParams.has(name))
  const unchanged = ['sort', 'size'].filter((name) => url.searchParams.has(name))
  const fields = filterable.map(
    (name) => html`<label>${name}<input name="${name}" value="${url.searchParams.get(name) ?? ''}" dir="auto"></label>`,
  )
  return html`<details${active ? html` open` : ''}><summary>${text(language, 'filters')}</summary>
<form method="get" action="${url.pathname}" class="form" data-drop-empty>${unchanged.map((name) => html`<input type="hidden" name="${name}" value="${url.searchParams.get(name) ?? ''}">`)}${fields}
<span><button>${text(language, 'apply')}</button> <a href="${url.pathname}">${text(language, 'reset')}</a></span></form></details>`
}

function pager(document: Fields, language: Language): Html {
  const page = (document['page'] ?? {}) as { number?: number; totalPages?: number; totalElements?: number }
  const steps: TextKey[] = ['first', 'previous', 'next', 'last']
  const links = steps.map((rel) => {
    const href = getHref(document, rel)
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
