import { type Page, page } from '@svc/hal'
import type { ItemContent, PageContent, RecordContent, ResponseContent } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { Item } from '../engine/define.ts'
import type { ActionForm } from '../engine/hal.ts'
import type { Format } from './format.ts'

const KINDS = ['item', 'page', 'record', 'none'] as const

/** Plain JSON: pages are `{items, page, _links}`. */
export const json: Format = {
  type: 'application/json',
  parameters: '; charset=utf-8',
  isPure: true,
  kinds: KINDS,
  encode(content, context) {
    if (content.kind === 'page') return getPage(content, context).stringify('plain')
    if (content.kind === 'record') return JSON.stringify(renderRecord(content, context))
    const { shape, item, fields, embedded } = content
    if (!fields && !embedded) return shape.hal.stringify(item, context)
    return (embedded ? shape.embedding : shape.hal).stringify(item, { ...context, fields, embedded })
  },
}

/** A report on the health of the service (draft-inadarei-api-health-check). */
export const healthJson: Format = {
  ...json,
  type: 'application/health+json',
  parameters: '',
  kinds: ['record'],
  records: ['health'],
}

/** A set of links (RFC 9264), as API catalogs are (RFC 9727). */
export const linksetJson: Format = {
  ...json,
  type: 'application/linkset+json',
  parameters: '; profile="https://www.rfc-editor.org/info/rfc9727"',
  kinds: ['record'],
  records: ['api-catalog'],
}

/** HAL: pages embed their items. */
export const hal: Format = {
  type: 'application/hal+json',
  parameters: '',
  isPure: true,
  kinds: KINDS,
  encode: (content, context, response) =>
    content.kind === 'page' ? getPage(content, context).stringify('hal') : json.encode(content, context, response),
}

/** HAL-FORMS: HAL with the forms that the caller may send. */
export const halForms: Format = {
  type: 'application/prs.hal-forms+json',
  parameters: '',
  isPure: true,
  kinds: KINDS,
  encode: (content, context) => JSON.stringify(renderForms(content, context)),
}

/** Renders content with its forms. The HTML pages are built from the same document. */
export function renderForms(content: ResponseContent, context: RenderContext): Record<string, unknown> {
  if (content.kind === 'record') {
    const { form, links } = content
    const templates = form && links?.['self'] !== undefined ? templatesAt(links['self'], form, context) : undefined
    return { ...renderRecord(content, context), ...templates }
  }
  const { create, change } = content.shape.forms(context.version)
  if (content.kind === 'item') {
    const { default: whole, ...others } = change.forms(content.item, context)._templates
    // The default form replaces the whole item, so it needs all of its values.
    const templates = whole && !content.fields ? { default: whole, ...others } : others
    return { ...renderItem(content, context), _templates: templates }
  }
  const forms = content.isClosed ? undefined : templatesAt(content.path, create(content.pathField), context)
  return { ...getPage(content, context).render('hal'), ...forms }
}

// The form is sent to the path that it is found at.
function templatesAt(path: string, form: ActionForm, context: RenderContext): object {
  const templates = Object.entries(form.forms({}, context)._templates ?? {})
  return {
    _templates: Object.fromEntries(
      templates.map(([name, template]) => [name, { ...template, target: context.base + path }]),
    ),
  }
}

/** Renders a record with the links that the caller can follow. */
export function renderRecord(
  { value, links }: RecordContent,
  { base, mayFollow }: RenderContext,
): Record<string, unknown> {
  if (!links) return { ...value }
  const entries = Object.entries(links)
    .filter(([relation, href]) => relation === 'self' || mayFollow(href))
    .map(([relation, href]) => [relation, { href: base + href, ...(href.includes('{') && { templated: true }) }])
  return { ...value, _links: Object.fromEntries(entries) }
}

const MAX_OFFSET = 10_000

const pages = new WeakMap<PageContent, Page<object>>()

/** Returns the page of @svc/hal, which is created once for the text and the header `Link`. */
export function getPage(content: PageContent, context: RenderContext): Page<object> {
  const created = pages.get(content)
  if (created) return created
  const { shape, items, path, query, number, size, totalElements, cursors, fields, embedded } = content
  const { reuseText, base, version, caller } = context
  // What is embedded is of other items.
  const key = `${shape.collection.name} ${version} ${caller?.mark ?? ''} ${fields ? [...fields].join() : '*'} ${base}`
  const result = page(items, {
    resource: embedded ? shape.embedding : shape.hal,
    path,
    query,
    number,
    size,
    maxOffset: MAX_OFFSET,
    context: fields || embedded ? { ...context, fields, embedded } : context,
    ...(totalElements !== undefined && { totalElements }),
    ...(cursors && { cursors: { ...cursors, first: '' } }),
    ...(reuseText &&
      !embedded && { stringifyItem: (item: Item, stringify: () => string) => reuseText(key, item, stringify) }),
  })
  pages.set(content, result)
  return result
}

/** Renders an item with the fields and the embedded items of the content. */
export function renderItem({ shape, item, fields, embedded }: ItemContent, context: RenderContext) {
  const hal = embedded ? shape.embedding : shape.hal
  return hal.render(item, fields || embedded ? { ...context, fields, embedded } : context)
}
