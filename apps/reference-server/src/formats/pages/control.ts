import { type Content, type Html, html } from './html.ts'

/** A property of a HAL-FORMS template. */
export interface Property {
  name: string
  prompt?: string
  type?: string
  required?: boolean
  readOnly?: boolean
  regex?: string
  value?: unknown
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  step?: number | string
  placeholder?: string
  options?: { inline?: (string | { value: string; prompt?: string })[]; maxItems?: number }
}

/** The control of a form that a property asks for; `value` is what it starts with. */
export function control(id: string, property: Property, value: unknown): Content {
  const { name, required, readOnly, placeholder, regex, type = 'text', options } = property
  const common = html`id="${id}" name="${name}"${required ? html` required` : ''}${readOnly ? html` readonly` : ''}`
  if (options?.inline) return selection(common, options, value, required ?? false)
  const hint = placeholder === undefined ? '' : html` placeholder="${placeholder}"`
  const shown = textOf(value)
  if (type === 'textarea') return html`<textarea ${common}${hint} rows="2" dir="auto">${shown}</textarea>`
  const limits = (['min', 'max', 'minLength', 'maxLength', 'step'] as const).map((limit) =>
    property[limit] === undefined ? '' : html` ${limit.toLowerCase()}="${property[limit]}"`,
  )
  const pattern = regex ? html` pattern="${regex}"` : ''
  return html`<input ${common} type="${type}"${limits}${pattern}${hint} value="${shown}" dir="auto">`
}

// One of the values, unless there may be several (HAL-FORMS, `maxItems`).
function selection(common: Html, options: NonNullable<Property['options']>, value: unknown, required: boolean): Html {
  const { inline = [], maxItems } = options
  const isMultiple = maxItems !== 1
  const chosen = [value].flat().map(textOf)
  const choices = inline.map((option) => {
    const { value: own, prompt = own } = typeof option === 'string' ? { value: option } : option
    return html`<option value="${own}"${chosen.includes(own) ? html` selected` : ''}>${prompt}</option>`
  })
  const none = required || isMultiple ? '' : html`<option></option>`
  return html`<select ${common}${isMultiple ? html` multiple size="${Math.min(inline.length, 5)}"` : ''}>${none}${choices}</select>`
}

// What is no text is shown, and sent again, as JSON.
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
