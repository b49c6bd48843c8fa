import { tokenize } from './assets/highlight.js'

/** Markup that is safe in a page as is. Only `html` creates it. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Content of a template: text is escaped, lists are joined; null and booleans are omitted. */
export type Content = Html | string | number | bigint | boolean | null | undefined | readonly Content[]

/** Template whose values are escaped, for text and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += render(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

function render(value: Content): string {
  if (value === null || value === undefined || value === false || value === true) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
}

/** Creates an element of a page, as `element` does in its scripts. `input` is void. */
export function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: Content[]
): Html {
  const pairs = Object.entries(attributes).map(([attribute, value]) => html` ${attribute}="${value}"`)
  return name === 'input' ? html`<input${pairs}>` : html`<${name}${pairs}>${children}</${name}>`
}

/** Returns JSON or XML with its parts marked; any other text as is. */
export function highlight(text: string, type: string): Html {
  const parts = tokenize(text, type)
  return html`${parts.map(([kind, part]) => (kind === '' ? part : html`<span class="${kind}">${part}</span>`))}`
}

export type Definition = readonly [term: Content, description: Content]

/** Renders terms with their descriptions as a list of this class. */
export function definitions(rows: readonly Definition[], name = 'fields'): Html {
  const parts = rows.map(([term, description]) => html`<div><dt>${term}</dt><dd>${description}</dd></div>`)
  return html`<dl class="${name}">${parts}</dl>`
}
