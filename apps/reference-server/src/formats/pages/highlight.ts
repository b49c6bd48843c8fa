import { tokenize } from './assets/highlight.js'
import { type Html, html } from './html.ts'

/** Returns JSON or XML with its parts marked; any other text as is. */
export function highlight(text: string, type: string): Html {
  const parts = tokenize(text, type)
  return html`${parts.map(([kind, part]) => (kind === '' ? part : html`<span class="${kind}">${part}</span>`))}`
}
