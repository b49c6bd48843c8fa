import type { Language } from '../../messages/locale.ts'
import { collectionTable } from './collection.ts'
import { exchange } from './exchange.ts'
import { type Fields, fieldTable, getHref, itemTable, type ReferenceLink } from './fields.ts'
import { formId, type Template, templateForm } from './form.ts'
import { type Content, html } from './html.ts'
import { breadcrumbs, linkList } from './links.ts'
import type { Page, PageView } from './view.ts'

export interface ResourceView extends PageView {
  title: string
  /** The resource as HAL-FORMS: `_links`, `_embedded`, `_templates` and fields. */
  document: Fields
  /** The validator of the state that is shown. */
  etag: string | undefined
  linkReference?: ReferenceLink | undefined
  /** Fields of a collection that can be sorted and filtered by. */
  sortable?: readonly string[]
  filterable?: readonly string[]
}

/** A resource, or a page of a collection. */
export function resourcePage(view: ResourceView): Page {
  const { title, language, path, document, etag, formats } = view
  const collection = findCollection(document)
  const templates = readTemplates(document)
  const forms = Object.entries(templates).map(([name, template]) =>
    templateForm({ name, template, document, path, language, etag, isMain: !collection && template.method === 'POST' }),
  )
  const actions = html`${linkList(document, view, findForms(templates))}
${embedded(document, collection?.name, language)}
${forms}`
  const main = html`${breadcrumbs(path, language)}
<h1>${title}</h1>
${formats.includes('image/svg+xml') ? html`<img class="picture" src="${view.target}" alt="${title}">` : ''}
${collection ? html`${collectionTable(view, collection.items)}${actions}` : html`<div class="resource">${fieldTable(document, language, view.linkReference)}<div>${actions}</div></div>`}
${exchange(view, { type: 'application/hal+json', value: withoutForms(document) })}`
  return { title, main }
}

// The page shows the forms themselves.
function withoutForms(document: Fields): Fields {
  const { _templates, ...resource } = document
  return resource
}

// That something may be deleted is said by a link: the form for it needs no fields.
function readTemplates(document: Fields): Record<string, Template> {
  const target = getHref(document, 'delete')
  const templates = (document['_templates'] ?? {}) as Record<string, Template>
  return target === undefined ? templates : { ...templates, delete: { method: 'DELETE', target } }
}

/** Returns links to the forms that do what a relation names. */
function findForms(templates: Readonly<Record<string, Template>>): Record<string, string> {
  const places: Record<string, string> = {}
  for (const [name, { method }] of Object.entries(templates)) {
    if (method === 'PUT' || method === 'PATCH') places['update'] = `#${formId(name)}`
    if (method === 'DELETE') places['delete'] = `#${formId(name)}`
  }
  return places
}

function findCollection(document: Fields): { name: string; items: Fields[] } | undefined {
  const [name, items] = Object.entries((document['_embedded'] ?? {}) as Fields)[0] ?? []
  return 'page' in document && name !== undefined && Array.isArray(items) ? { name, items } : undefined
}

function embedded(document: Fields, shown: string | undefined, language: Language): Content {
  const entries = Object.entries((document['_embedded'] ?? {}) as Fields).filter(([name]) => name !== shown)
  return entries.map(([name, value]) => {
    const content = Array.isArray(value)
      ? html`<div class="wide" tabindex="0">${itemTable(value as Fields[], language)}</div>`
      : fieldTable(value as Fields, language)
    return html`<h2>${name}</h2>${content}`
  })
}
