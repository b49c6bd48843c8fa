import type { FormTemplate } from '@svc/hal'
import type { Language } from '../../messages/locale.ts'
import { formField } from './assets/forms.js'
import { createElement, type Html, html } from './html.ts'
import { text } from './texts.ts'

export interface FormView {
  name: string
  template: FormTemplate
  /** The resource of the form: its fields are the initial values. */
  document: Record<string, unknown>
  language: Language
  /** The ETag of the state that is shown, sent as If-Match to prevent lost updates. */
  etag: string | undefined
  isMain: boolean
}

export function formId(name: string): string {
  return `form-${name}`
}

/**
 * Renders a HAL-FORMS template. A script sends the form with the method of the template. Without
 * the script, the form says so, and its method `dialog` sends no request.
 */
export function templateForm({ name, template, document, language, etag, isMain }: FormView): Html {
  const { method, target, properties, contentType = 'application/json' } = template
  const heading = template.title ?? createTitle(method, isMain, language)
  const isUpdate = method === 'PUT' || method === 'PATCH'
  const fields = properties.map((property) =>
    formField(createElement, name, property, isUpdate ? document[property.name] : undefined),
  )
  const guard = etag && method !== 'POST' ? html` data-if-match="${etag}"` : ''
  const button =
    method === 'DELETE'
      ? html`<button class="danger" data-confirm="${text(language, 'confirmRemove')}">${heading}</button>`
      : html`<button>${heading}</button>`
  return html`<details${isMain ? html` open` : ''}><summary>${heading}</summary>
<noscript><p class="notice">${text(language, 'needsScript')}</p></noscript>
<form class="form" method="dialog" id="${formId(name)}" action="${target}" data-method="${method}" data-type="${contentType}" data-stale="${text(language, 'stale')}" data-reload="${text(language, 'reload')}" data-unanswered="${text(language, 'unanswered')}"${guard}>${fields}<span>${button}</span><output></output></form></details>`
}

function createTitle(method: string, isMain: boolean, language: Language): string {
  if (method === 'DELETE') return text(language, 'remove')
  if (method === 'POST') return text(language, isMain ? 'send' : 'create')
  return text(language, 'change')
}
