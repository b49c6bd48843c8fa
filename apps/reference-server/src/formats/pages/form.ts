import type { Language } from '../../messages/locale.ts'
import { control, type Property } from './control.ts'
import { type Html, html } from './html.ts'
import { text } from './texts.ts'

/** A HAL-FORMS template, as the document carries it. */
export interface Template {
  title?: string
  method?: string
  target?: string
  contentType?: string
  properties?: Property[]
}

export interface FormView {
  name: string
  template: Template
  /** What the form is about: its fields are the values that the form starts with. */
  document: Record<string, unknown>
  path: string
  language: Language
  /** The validator of the state that is shown: sent as If-Match, so that nobody's newer change is lost. */
  etag: string | undefined
  /** Whether the page is there for this form. */
  isMain: boolean
}

/** Where a form is on its page. */
export function formId(name: string): string {
  return `form-${name}`
}

/**
 * A form made from a HAL-FORMS template. A script sends it with the template's method. Without one the form says so, and
 * its button does nothing: `dialog` is the method that sends no request.
 */
export function templateForm({ name, template, document, path, language, etag, isMain }: FormView): Html {
  const method = (template.method || 'GET').toUpperCase()
  const heading = template.title ?? titleOf(method, isMain, language)
  const isUpdate = method === 'PUT' || method === 'PATCH'
  const fields = (template.properties ?? []).map((property) =>
    field(name, property, isUpdate ? document[property.name] : undefined),
  )
  const guard = etag && method !== 'POST' ? html` data-if-match="${etag}"` : ''
  const button =
    method === 'DELETE'
      ? html`<button class="danger" data-confirm="${text(language, 'confirmRemove')}">${heading}</button>`
      : html`<button>${heading}</button>`
  return html`<details${isMain ? html` open` : ''}><summary>${heading}</summary>
<noscript><p class="notice">${text(language, 'needsScript')}</p></noscript>
<form class="form" method="${method === 'GET' ? 'get' : 'dialog'}" id="${formId(name)}" action="${template.target ?? path}" data-method="${method}" data-type="${template.contentType ?? 'application/json'}" data-stale="${text(language, 'stale')}" data-reload="${text(language, 'reload')}" data-unanswered="${text(language, 'unanswered')}"${guard}>${fields}<span>${button}</span><output></output></form></details>`
}

function titleOf(method: string, isMain: boolean, language: Language): string {
  if (method === 'DELETE') return text(language, 'remove')
  if (method === 'POST') return text(language, isMain ? 'send' : 'create')
  return text(language, 'change')
}

function field(form: string, property: Property, current: unknown): Html {
  const id = `${form}-${property.name}`
  const label = html`<span>${property.prompt ?? property.name}${property.required ? html` <span aria-hidden="true">*</span>` : ''}</span>`
  return html`<label for="${id}">${label}${control(id, property, property.value ?? current)}</label>`
}
