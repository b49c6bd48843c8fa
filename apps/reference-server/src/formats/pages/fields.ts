import { parseHal } from '@svc/hal'
import { type DemoUser, demoPassword } from '../../domain/seed/demo-users.ts'
import { isObject } from '../../engine/validate.ts'
import { type Language, momentIn, moneyIn, numberIn } from '../../messages/locale.ts'
import { type Content, type Html, html } from './html.ts'
import { text } from './texts.ts'

export type Fields = Record<string, unknown>

/** Renders the fields of an object as a table with a row for each. */
export function fieldTable(document: Fields, language: Language, linkReference?: ReferenceLink): Html {
  const rows = listEntries(document).map(
    ([name, value]) =>
      html`<tr><th scope="row">${name}</th><td dir="auto">${cell(name, value, { language, linkReference })}</td></tr>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><tbody>${rows}</tbody></table></div>`
}

/** Returns the address of the resource that the id in a field names, if the reader can open it. */
export type ReferenceLink = (field: string, id: unknown) => string | undefined

interface ValueView {
  language: Language
  linkReference?: ReferenceLink | undefined
}

/** Formats a value of a document. The id of another resource is a link to it. */
export function cell(name: string, value: unknown, view: ValueView): Content {
  const shown = formatValue(name, value, view)
  const href = value === null || value === undefined ? undefined : view.linkReference?.(name, value)
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`
}

const NOTHING = html`<span class="quiet">–</span>`

/** A value of a document: numbers, money and times as the language writes them. */
function formatValue(name: string, value: unknown, view: ValueView): Content {
  const { language } = view
  if (value === null || value === undefined) return NOTHING
  if (Array.isArray(value)) {
    if (value.length === 0) return NOTHING
    if (value.every((entry) => typeof entry !== 'object')) return value.join(', ')
    return itemTable(value, view)
  }
  if (typeof value === 'number' && isQuantity(name))
    return html`<data value="${value}">${numberIn(language, value)}</data>`
  return isObject(value) ? formatObject(value, view) : formatMoment(String(value), language)
}

function isQuantity(name: string): boolean {
  return !/^id$|Id$/.test(name)
}

function formatMoment(value: string, language: Language): Content {
  const moment = momentIn(language, value)
  return moment === undefined ? value : html`<time datetime="${value}">${moment}</time>`
}

function formatObject(fields: Fields, view: ValueView): Content {
  const { amount, currency } = fields
  const money = moneyIn(view.language, amount, currency)
  if (money !== undefined) return html`<data value="${`${amount} ${currency}`}">${money}</data>`
  return Object.entries(fields).map(
    ([name, inner], index) =>
      html`${index ? html`<br>` : ''}<span class="quiet">${name}</span> ${cell(name, inner, view)}`,
  )
}

/**
 * Renders objects as a table with a row for each. The first column leads to the resources, and
 * numbers and money are aligned digit by digit.
 */
export function itemTable(
  items: readonly Fields[],
  view: ValueView,
  head: (column: string) => Content = (column) => column,
): Html {
  const columns = listColumns(items).map((name) => {
    const first = items[0]?.[name]
    const isAmount = typeof first === 'number' ? isQuantity(name) : isObject(first) && 'currency' in first
    return { name, kind: isAmount ? html` class="number"` : '' }
  })
  const heads = columns.map(({ name, kind }) => html`<th scope="col"${kind}>${head(name)}</th>`)
  const rows = items.map((item) => {
    const self = parseHal(item).link('self')?.href
    const cells = columns.map(({ name, kind }, index) => {
      const value = cell(name, item[name], view)
      return html`<td dir="auto"${kind}>${index === 0 && self ? html`<a href="${self}">${value}</a>` : value}</td>`
    })
    return html`<tr>${cells}</tr>`
  })
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`
}

/** Returns the names of the fields that objects have, up to as many as a table can show. */
function listColumns(items: readonly Fields[]): string[] {
  const columns = new Set(items.flatMap((item) => listEntries(item).map(([name]) => name)))
  return [...columns].slice(0, 8)
}

function listEntries(document: Fields): [string, unknown][] {
  return Object.entries(document).filter(([name]) => !name.startsWith('_') && name !== 'page')
}

/** Renders the users whose passwords are public. Empty if there are none. */
export function userTable(users: readonly DemoUser[], language: Language): Content {
  if (users.length === 0) return ''
  const rows = users.map(
    ({ username, role }) =>
      html`<tr><td><code>${username}</code></td><td><code>${demoPassword(username)}</code></td><td>${text(language, `role.${role}`)}</td></tr>`,
  )
  const heads = (['user', 'password', 'rights'] as const).map(
    (key) => html`<th scope="col">${text(language, key)}</th>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A choice among these users, the first one chosen, or no credentials; empty without users. */
export function userChoice(users: readonly DemoUser[], id: string, label: string, language: Language): Content {
  if (users.length === 0) return ''
  const options = users.map(
    ({ username, role }) => html`<option value="${username}">${username} (${text(language, `role.${role}`)})</option>`,
  )
  const anonymous = html`<option value="">${text(language, 'anonymous')}</option>`
  return html`<p><label>${label} <select id="${id}" class="narrow">${options}${anonymous}</select></label></p>`
}
