import type { FormOptions, FormProperty, FormTemplate } from '@svc/hal'
import type { Language } from '../../messages/locale.ts'
import { type Content, type Html, html } from './html.ts'
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
  const fields = properties.map((property) => field(name, property, isUpdate ? document[property.name] : undefined))
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

function field(form: string, property: FormProperty, current: unknown): Html {
  const id = `${form}-${property.name}`
  const label = html`<span>${property.prompt ?? property.name}${property.required ? html` <span aria-hidden="true">*</span>` : ''}</span>`
  return html`<label for="${id}">${label}${control(id, property, property.value ?? current)}</label>`
}

/** Renders the control of a property with its initial value. */
function control(id: string, property: FormProperty, value: unknown): Content {
  const { name, required, readOnly, placeholder, regex, type = 'text', options } = property
  const common = html`id="${id}" name="${name}"${required ? html` required` : ''}${readOnly ? html` readonly` : ''}`
  if (options?.inline) return selection(common, options, value, required ?? false)
  const hint = placeholder === undefined ? '' : html` placeholder="${placeholder}"`
  const shown = toText(value)
  const limits = (['min', 'max', 'minLength', 'maxLength', 'step'] as const).map((limit) =>
    property[limit] === undefined ? '' : html` ${limit.toLowerCase()}="${property[limit]}"`,
  )
  if (type === 'textarea') return html`<textarea ${common}${limits}${hint} rows="2" dir="auto">${shown}</textarea>`
  const pattern = regex ? html` pattern="${regex}"` : ''
  // A saved password is that of the user who is logged in.
  const autocomplete = type === 'password' ? html` autocomplete="new-password"` : ''
  return html`<input ${common} type="${type}"${autocomplete}${limits}${pattern}${hint} value="${shown}" dir="auto">`
}

// A choice of one value, or of several (HAL-FORMS, `maxItems`).
function selection(common: Html, options: FormOptions, value: unknown, required: boolean): Html {
  const { inline = [], maxItems } = options
  const isMultiple = maxItems !== 1
  const chosen = [value].flat().map(toText)
  const choices = inline.map((option) => {
    const { value: word, prompt = word } = typeof option === 'string' ? { value: option } : option
    return html`<option value="${word}"${chosen.includes(word) ? html` selected` : ''}>${prompt}</option>`
  })
  const none = required || isMultiple ? '' : html`<option></option>`
  return html`<select ${common}${isMultiple ? html` multiple size="${Math.min(inline.length, 5)}"` : ''}>${none}${choices}</select>`
}

// Values other than strings are shown, and sent back, as JSON.
function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
