import { prettyXml } from '@svc/soap-envelope/pretty'
import {
  breadcrumbs,
  type Content,
  DEMO_USERS,
  type Html,
  html,
  type Language,
  type PageOf,
  requestMessage,
  responseMessage,
  text,
} from '../../../reference-server/src/index.ts'
import { style } from '../assets.ts'
import { type DemoTextKey, demoText } from '../texts.ts'
import type { SoapCall, SoapMessage } from './call.ts'
import { type CallForm, DEFAULT_CALL, formatCall } from './call-form.ts'

const PATH = '/play/soap'

const PRESETS: readonly (readonly [DemoTextKey, Partial<CallForm>])[] = [
  ['soap.paid', {}],
  ['soap.unpaid', { order: '3' }],
  ['soap.missing', { order: '999999' }],
  ['soap.withoutHeader', { hasContext: false }],
  ['soap.notPermitted', { user: 'eve' }],
  ['soap.genuine', { operation: 'verifyOrderDocument' }],
  ['soap.changed', { operation: 'verifyOrderDocument', isChanged: true }],
  ['soap.tooMany', { operation: 'GetQuote', quantity: '1000' }],
]

/** Builds the page of a call: forms for messages, and what came back. Works without a script. */
export function soapPlaygroundPage(form: CallForm = DEFAULT_CALL, call: SoapCall | undefined): PageOf {
  return (view) => {
    const { language } = view
    const title = demoText(language, 'soap.title')
    const presets = PRESETS.map(
      ([label, changes]) =>
        html`<li><a href="${PATH}?${formatCall({ ...DEFAULT_CALL, ...changes })}">${demoText(language, label)}</a></li>`,
    )
    const main = html`${breadcrumbs(view, PATH)}
<h1>${title}</h1>
<p class="lead">${demoText(language, 'soap.lead')}</p>
<p id="presets">${demoText(language, 'soap.try')}</p>
<ul class="links" aria-labelledby="presets">${presets}</ul>
<div class="split apart">${documentForm(form, language)}${quoteForm(form, language)}</div>
${call ? outcome(form, call, language) : ''}
<p>${demoText(language, 'soap.all')} <a href="/ws/customer">/ws/customer</a> · <a href="/ws/PriceService">/ws/PriceService</a></p>`
    return { title, main, styles: [style] }
  }
}

function documentForm(form: CallForm, language: Language): Html {
  const values = { ...form, operation: form.operation === 'GetQuote' ? DEFAULT_CALL.operation : form.operation }
  const operations = options(['getOrderDocument', 'verifyOrderDocument'], values.operation)
  const change = box('isChanged', demoText(language, 'soap.change'), values.isChanged)
  const fields = [
    html`<label>${demoText(language, 'soap.operation')}<select name="operation">${operations}</select></label>`,
    input('order', demoText(language, 'soap.order'), values.order, { mode: 'numeric' }),
  ]
  return formCard('soap.document', values, language, { fields, boxes: change })
}

function quoteForm(form: CallForm, language: Language): Html {
  const fields = [
    html`<input type="hidden" name="operation" value="GetQuote">`,
    input('item', demoText(language, 'soap.item'), form.item),
    input('category', demoText(language, 'soap.category'), form.category),
    input('quantity', demoText(language, 'soap.quantity'), form.quantity, { mode: 'numeric' }),
  ]
  return formCard('soap.quote', form, language, { fields })
}

// Boxes are in a row of their own: between fields they have no label above them and look misplaced.
function formCard(
  title: DemoTextKey,
  form: CallForm,
  language: Language,
  { fields, boxes = '' }: { fields: Content; boxes?: Content },
): Html {
  const users = DEMO_USERS.map(({ username }) => username)
  return html`<section class="card"><h2>${demoText(language, title)}</h2>
<form class="form" method="get" action="${PATH}">${fields}
<label>${text(language, 'sendAs')}<select name="user">${options(users, form.user)}<option value="anonymous"${selected(form.user === 'anonymous')}>${text(language, 'anonymous')}</option></select></label>
<label>SOAP<select name="version">${options(['1.2', '1.1'], form.version)}</select></label>
${input('application', demoText(language, 'soap.application'), form.application)}
${input('requestId', demoText(language, 'soap.requestId'), form.requestId)}
<div class="boxes">${box('hasContext', demoText(language, 'soap.sendHeader'), form.hasContext)}${box('mtom', demoText(language, 'soap.mtom'), form.mtom)}${boxes}</div>
<span class="row"><button>${text(language, 'send')}</button></span></form></section>`
}

function input(name: string, label: string, value: string, { mode = 'text' } = {}): Html {
  return html`<label>${label}<input name="${name}" value="${value}" maxlength="100" inputmode="${mode}" autocomplete="off"></label>`
}

function box(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="box"><input type="checkbox" name="${name}"${isChecked ? html` checked` : ''}>${label}</label>`
}

function options(values: readonly string[], chosen: string): Content {
  return values.map((value) => html`<option${selected(value === chosen)}>${value}</option>`)
}

function selected(isSelected: boolean): Content {
  return isSelected ? html` selected` : ''
}

function outcome(form: CallForm, call: SoapCall, language: Language): Html {
  const { path, request, response, unsent } = call
  const notSent =
    unsent === undefined
      ? ''
      : html`<p class="notice bad">${demoText(language, 'soap.unsent')} <code>${unsent}</code></p>`
  const sent = request && requestMessage({ method: 'POST', target: path, headers: request.headers }, language)
  const notes = response ? [text(language, 'byteCount', { count: response.body.length })] : []
  const received = response && responseMessage({ ...response, notes }, language, envelopeView(response))
  return html`<section id="outcome" aria-labelledby="outcome-title"><h2 id="outcome-title">${demoText(language, 'soap.outcome')}</h2>
${notSent}<div class="split apart">${faultCard(call, language)}${fileCard(form, call, language)}${valuesCard('soap.output', call.output, language)}${valuesCard('soap.headerBlock', call.headers, language)}</div>
<div class="exchange">${sent ?? ''}${received ?? ''}${request ? html`<div class="message">${envelopeView(request)}</div>` : ''}</div></section>`
}

function faultCard({ fault }: SoapCall, language: Language): Content {
  if (!fault) return ''
  const { name, code, reason, value } = fault
  const badge = name === undefined ? '' : html` <span class="badge warn">${name}</span>`
  return html`<section class="card" data-fault="${name ?? ''}"><h3>${demoText(language, 'soap.fault')}${badge}</h3><p lang="en">${reason}</p><p class="quiet mono">${code}</p>${valueList(value)}</section>`
}

function fileCard(form: CallForm, { file }: SoapCall, language: Language): Content {
  if (!file) return ''
  const { name, type, bytes, isAsInReceipt } = file
  const digest = demoText(language, isAsInReceipt ? 'soap.digestFits' : 'soap.digestDiffers')
  const size = text(language, 'byteCount', { count: bytes.length })
  return html`<section class="card" data-file><h3>${demoText(language, 'soap.attachment')}</h3>
<p><a href="${PATH}/document?${formatCall(form)}" download="${name}">${demoText(language, 'soap.download', { name })}</a></p>
<p class="quiet">${type} · ${size}</p><p><span class="badge ${isAsInReceipt ? 'good' : 'bad'}">SHA-256</span> ${digest}</p></section>`
}

function valuesCard(title: DemoTextKey, value: SoapCall['output'], language: Language): Content {
  if (!value || Object.keys(value).length === 0) return ''
  return html`<section class="card"><h3>${demoText(language, title)}</h3>${valueList(value)}</section>`
}

/** Values by their names, those inside others by the path to them. */
function valueList(value: unknown, before = ''): Content {
  const rows = leaves(value, before).map(([name, leaf]) => html`<div><dt>${name}</dt><dd>${leaf}</dd></div>`)
  return rows.length === 0 ? '' : html`<dl class="headers">${rows}</dl>`
}

function leaves(value: unknown, name: string): [string, string][] {
  if (value instanceof Uint8Array) return [[name, shorten(Buffer.from(value).toString('hex'))]]
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name}.${key}`))
}

const SHOWN_CHARACTERS = 64

function shorten(characters: string): string {
  return characters.length <= SHOWN_CHARACTERS ? characters : `${characters.slice(0, SHOWN_CHARACTERS)}…`
}

/** The envelope of a message, without its attachments and with long values cut. */
function envelopeView({ headers, body }: SoapMessage): Content {
  const whole = body.toString('utf8')
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const [, boundary] = /^multipart\/related;.*boundary="?([^";]+)/i.exec(type) ?? []
  const root = boundary === undefined ? whole : extractRoot(whole, boundary)
  const short = root.replace(/[A-Za-z0-9+/=]{200,}/g, shorten)
  const rest = boundary === undefined ? '' : html`<p class="quiet">+ ${attachmentLines(whole, boundary)}</p>`
  return html`<pre class="body" tabindex="0">${prettyXml(short)}</pre>${rest}`
}

function extractRoot(whole: string, boundary: string): string {
  const start = whole.indexOf('\r\n\r\n') + 4
  return whole.slice(start, whole.indexOf(`\r\n--${boundary}`, start))
}

/** The headers of each attachment in a line. */
function attachmentLines(whole: string, boundary: string): string {
  const parts = whole.split(`\r\n--${boundary}`).slice(1, -1)
  return parts.map((part) => part.slice(2, part.indexOf('\r\n\r\n')).replaceAll('\r\n', ', ')).join(' + ')
}
