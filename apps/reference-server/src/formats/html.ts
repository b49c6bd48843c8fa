import { type FormTemplate, type PageInfo, parseHal } from '@svc/hal'
import type { Representation } from '@svc/negotiate'
import { etagFromVersion } from '@svc/negotiate/etags'
import type { ResponseContent } from '../engine/action.ts'
import type { CompiledCollection, RenderContext } from '../engine/compiled-collection.ts'
import { requestStateOf } from '../engine/request-state.ts'
import type { Language } from '../messages/locale.ts'
import { isConfined } from '../security/caller.ts'
import type { Format } from './format.ts'
import { renderForms } from './json.ts'
import { exchange } from './pages/exchange.ts'
import { type Fields, fieldTable, itemTable, type ReferenceLink } from './pages/fields.ts'
import { formId, templateForm } from './pages/form.ts'
import { type Content, type Html, html } from './pages/html.ts'
import { breadcrumbs, layout, linkList, STEPS } from './pages/layout.ts'
import { text } from './pages/texts.ts'
import { createView, maskHeaders, type Page, type PageOf, type PageView, toPageRepresentation } from './pages/view.ts'

export function htmlFormat(formats: (kind: ResponseContent['kind'], record?: string) => readonly string[]): Format {
  return {
    type: 'text/html',
    parameters: '; charset=utf-8',
    kinds: ['item', 'page', 'record', 'none'],
    adapt: toPageRepresentation,
    encode(content, context, { req, representation, site }) {
      const sent = toPageRepresentation(representation, req)
      const { status = 200, headers, type, cacheControl, language, vary = [] } = sent
      const requestHeaders = requestStateOf(req).headers
      const { Vary: versionVary = 'Accept' } = requestHeaders
      const allVary = [...new Set([...versionVary.split(', '), ...vary, 'Accept-Encoding'])].join(', ')
      const pageHeaders = { 'Content-Type': type, 'Content-Language': language, 'Cache-Control': cacheControl }
      const types = formats(content.kind, content.kind === 'record' ? content.name : undefined)
      const view: PageView = {
        ...createView(req, site),
        formats: types.filter((each) => each !== 'text/html'),
        response: { status, headers: maskHeaders({ ...pageHeaders, ...requestHeaders, ...headers, Vary: allVary }) },
      }
      const page = content.kind === 'record' ? (content.page as PageOf | undefined)?.(view) : undefined
      return layout(view, page ?? resourcePage({ ...view, ...describeResource(content, representation, context) }))
    },
  }
}

function describeResource(content: ResponseContent, { version, variant }: Representation, context: RenderContext) {
  const document = renderForms(content, context)
  const etag = version === undefined ? undefined : etagFromVersion(version, { type: 'application/json', variant })
  if (content.kind === 'record') return { title: toTitle(content.name), document, etag }
  const { name, item, sort, filters } = content.shape.collection
  const linkReference = compileReferenceLink(content.shape, context)
  if (content.kind === 'item') return { title: `${toTitle(item)} ${content.item.id}`, document, etag, linkReference }
  return {
    title: toTitle(name),
    document,
    etag,
    linkReference,
    sortable: sort,
    filterable: filters.filter((field) => field !== content.pathField),
  }
}

/** Links ids for readers who can open the items. Confined readers use the relations. */
function compileReferenceLink(shape: CompiledCollection, { base, caller, mayFollow }: RenderContext): ReferenceLink {
  return (field, id) => {
    const target = shape.referenced(field)
    if (!target) return undefined
    const { owner, publicRead } = target
    if (owner && !publicRead && isConfined(caller, owner.liftedBy.read)) return undefined
    const path = `${target.path}/${id}`
    return mayFollow(path) ? base + path : undefined
  }
}

function toTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}

interface ResourceView extends PageView {
  title: string
  /** The resource as HAL-FORMS: `_links`, `_embedded`, `_templates` and fields. */
  document: Fields
  etag: string | undefined
  linkReference?: ReferenceLink | undefined
  /** Fields of a collection that can be sorted and filtered by. */
  sortable?: readonly string[]
  filterable?: readonly string[]
}

/** A resource, or a page of a collection. */
function resourcePage(view: ResourceView): Page {
  const { title, language, document, etag, formats } = view
  const collection = findCollection(document)
  const templates: Record<string, FormTemplate> = Object(document['_templates'])
  const forms = Object.entries(templates).map(([name, template]) =>
    templateForm({ name, template, document, language, etag, isMain: !collection && template.method === 'POST' }),
  )
  const actions = html`${linkList(document, view, findForms(templates))}
${embedded(document, collection?.name, language)}
${forms}`
  // The page shows the forms themselves.
  const { _templates, ...shown } = document
  const main = html`${breadcrumbs(view)}
<h1 lang="en">${title}</h1>
${formats.includes('image/svg+xml') ? html`<img class="picture" src="${view.target}" alt="">` : ''}
${collection ? html`${collectionTable(view, collection.items)}${actions}` : html`<div class="resource">${fieldTable(document, language, view.linkReference)}<div>${actions}</div></div>`}
${exchange(view, { type: 'application/hal+json', value: shown })}`
  return { title, main }
}

/** Returns links to the forms that do what a relation names. */
function findForms(templates: Readonly<Record<string, FormTemplate>>): Record<string, string> {
  const links: Record<string, string> = {}
  for (const [name, { method }] of Object.entries(templates)) {
    if (method === 'PUT' || method === 'PATCH') links['update'] = `#${formId(name)}`
    if (method === 'DELETE') links['delete'] = `#${formId(name)}`
  }
  return links
}

function findCollection(document: Fields): { name: string; items: Fields[] } | undefined {
  const [name, items] = Object.entries(Object(document['_embedded']))[0] ?? []
  return 'page' in document && name !== undefined && Array.isArray(items) ? { name, items } : undefined
}

function embedded(document: Fields, shown: string | undefined, language: Language): Content {
  const entries = Object.entries<Fields | Fields[]>(Object(document['_embedded'])).filter(([name]) => name !== shown)
  return entries.map(([name, value]) => {
    const content = Array.isArray(value)
      ? html`<div class="wide" tabindex="0">${itemTable(value, { language })}</div>`
      : fieldTable(value, language)
    return html`<h2>${name}</h2>${content}`
  })
}

/** Renders the items of a page: filters, a sortable table, and links to the other pages. */
function collectionTable(view: ResourceView, items: readonly Fields[]): Html {
  const { language, document } = view
  const table = html`<div class="wide" tabindex="0">${itemTable(items, view, (column) => sortHead(view, column))}</div>`
  return html`${filterForm(view)}${items.length === 0 ? emptyView(view) : table}${pager(document, language)}`
}

function emptyView({ language, target }: ResourceView): Html {
  const [path] = target.split('?')
  const reset = path === target ? '' : html` <a href="${path}">${text(language, 'reset')}</a>`
  return html`<p class="empty">${text(language, 'empty')}${reset}</p>`
}

function sortHead({ target, sortable = [] }: ResourceView, column: string): Content {
  if (!sortable.includes(column)) return column
  const url = new URL(target, 'http://localhost')
  const current = url.searchParams.get('sort')
  url.searchParams.set('sort', current === column ? `-${column}` : column)
  url.searchParams.delete('page')
  url.searchParams.delete('cursor')
  const mark = current === column ? ' ↑' : current === `-${column}` ? ' ↓' : ''
  return html`<a href="${url.pathname + url.search}">${column}${mark}</a>`
}

function filterForm({ language, target, filterable = [] }: ResourceView): Content {
  if (filterable.length === 0) return ''
  const url = new URL(target, 'http://localhost')
  const isFilter = (name: string): boolean => ['id', ...filterable].includes(name.replace(/\[.*/s, ''))
  const active = [...url.searchParams.keys()].filter(isFilter)
  const names = [...new Set([...filterable, ...active])]
  // The inputs show one value of each filter. Other values, and other parameters, stay as they are.
  const shown = new Set<string>()
  const unchanged = [...url.searchParams].filter(([name]) => {
    if (name === 'page' || name === 'cursor') return false
    if (!isFilter(name) || shown.has(name)) return true
    shown.add(name)
    return false
  })
  const fields = names.map(
    (name) => html`<label>${name}<input name="${name}" value="${url.searchParams.get(name) ?? ''}" dir="auto"></label>`,
  )
  return html`<details${active.length > 0 ? html` open` : ''}><summary>${text(language, 'filters')}</summary>
<form method="get" action="${url.pathname}" class="form" data-drop-empty>${unchanged.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${fields}
<span><button>${text(language, 'apply')}</button> <a href="${url.pathname}">${text(language, 'reset')}</a></span></form></details>`
}

function pager(document: Fields, language: Language): Html {
  const { state, link } = parseHal(document)
  const { number, totalPages, totalElements = 0 }: Partial<PageInfo> = Object(state['page'])
  const links = STEPS.map((relation) => {
    const href = link(relation)?.href
    const rel = relation === 'previous' ? 'prev' : relation
    return href === undefined ? '' : html`<a href="${href}" rel="${rel}">${text(language, relation)}</a>`
  })
  const total = Math.max(totalPages ?? 0, 1)
  // A page that a cursor leads to has no number.
  const place = number !== undefined && html`${text(language, 'pageOf', { number: number + 1, total })} · `
  const where =
    totalPages !== undefined &&
    html`<span class="quiet">${place}${text(language, 'entries', { count: totalElements })}</span>`
  return html`<nav class="pager" aria-label="${text(language, 'pages')}">${links}${where}</nav>`
}
