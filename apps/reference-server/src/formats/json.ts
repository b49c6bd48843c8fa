import type { RecordContent } from '../engine/action-result.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { ActionForm } from '../engine/forms-of.ts'
import type { Format } from './format.ts'
import { contextFor, halFor, pageOf } from './page-of.ts'

const KINDS = ['item', 'page', 'record', 'none'] as const

/** Plain JSON: pages are `{items, page, _links}`. */
export const json: Format = {
  type: 'application/json',
  parameters: '; charset=utf-8',
  isPure: true,
  kinds: KINDS,
  encode(content, context) {
    if (content.kind === 'page') return pageOf(content, context).stringify('plain')
    if (content.kind === 'item') return halFor(content).stringify(content.item, contextFor(content, context))
    return JSON.stringify(recordOf(content, context))
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

/** A set of links (RFC 9264), as catalogues of APIs are (RFC 9727). */
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
  encode: (content, context, occasion) =>
    content.kind === 'page' ? pageOf(content, context).stringify('hal') : json.encode(content, context, occasion),
}

/** HAL-FORMS: HAL with the forms that the caller may send. */
export const halForms: Format = {
  type: 'application/prs.hal-forms+json',
  parameters: '',
  isPure: true,
  kinds: KINDS,
  encode: (content, context) => JSON.stringify(formsOf(content, context)),
}

/** A document with its forms, as the pages for people are made of too. */
export function formsOf(content: Parameters<Format['encode']>[0], context: RenderContext): object {
  if (content.kind === 'record') return { ...recordOf(content, context), ...formOfRecord(content, context) }
  const { create, update } = content.shape.forms(context.version)
  if (content.kind === 'item') {
    const document = halFor(content).render(content.item, contextFor(content, context))
    return { ...document, _templates: update.forms(content.item, context)._templates }
  }
  const document = pageOf(content, context).render('hal')
  return content.isClosed ? document : { ...document, ...templatesAt(content.path, create, context) }
}

function formOfRecord({ form, links }: RecordContent, context: RenderContext): object | undefined {
  return form && links?.['self'] !== undefined ? templatesAt(links['self'], form, context) : undefined
}

// A form that is sent to where it was found.
function templatesAt(path: string, form: ActionForm, context: RenderContext): object {
  const templates = Object.entries(form.forms({}, context)._templates ?? {})
  return {
    _templates: Object.fromEntries(templates.map(([name, one]) => [name, { ...one, target: context.base + path }])),
  }
}

/** A record with the links that the caller can follow. */
export function recordOf({ value, links }: RecordContent, { base, mayFollow }: RenderContext): Record<string, unknown> {
  if (!links) return { ...value }
  const entries = Object.entries(links)
    .filter(([relation, href]) => relation === 'self' || mayFollow(href))
    .map(([relation, href]) => [relation, { href: base + href, ...(href.includes('{') && { templated: true }) }])
  return { ...value, _links: Object.fromEntries(entries) }
}
