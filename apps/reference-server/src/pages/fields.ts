import { type Content, type Html, html } from './html.ts'

/** A JSON object of a document. */
export type Fields = Record<string, unknown>

/** The fields of an object, a row each. */
export function fieldTable(document: Fields): Html {
  const rows = fieldsOf(document).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${valueOf(value)}</td></tr>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><tbody>${rows}</tbody></table></div>`
}

/** A value of a document for people: money, lists and objects readable. */
export function valueOf(value: unknown): Content {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="quiet">–</span>`
    if (value.every((entry) => typeof entry !== 'object')) return value.join(', ')
    return itemTable(value as Fields[])
  }
  if (typeof value !== 'object') return String(value)
  const fields = value as Fields
  if ('amount' in fields && 'currency' in fields) return `${String(fields['amount'])} ${String(fields['currency'])}`
  return Object.entries(fields).map(
    ([name, inner], at) => html`${at ? html`<br>` : ''}<span class="quiet">${name}</span> ${valueOf(inner)}`,
  )
}

/** Objects side by side, a row each. */
export function itemTable(items: Fields[]): Html {
  const columns = columnsOf(items)
  const rows = items.map((item) => html`<tr>${columns.map((column) => html`<td>${valueOf(item[column])}</td>`)}</tr>`)
  return html`<table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

/** The names of the fields that objects have, as many as a table can show. */
export function columnsOf(items: readonly Fields[]): string[] {
  const columns = new Set(items.flatMap((item) => fieldsOf(item).map(([name]) => name)))
  return [...columns].slice(0, 8)
}

function fieldsOf(document: Fields): [string, unknown][] {
  return Object.entries(document).filter(([name]) => !name.startsWith('_') && name !== 'page')
}
