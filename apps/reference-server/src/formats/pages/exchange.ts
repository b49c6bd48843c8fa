import { STATUS_CODES } from 'node:http'
import { demoPassword } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'
import * as messages from './assets/messages.js'
import { type Content, createElement, type Html, highlight, html } from './html.ts'
import { messageLabels, type TextKey, text } from './texts.ts'
import type { PageView } from './view.ts'

type Headers = Readonly<Record<string, string>>

/** A body that is shown with its parts marked. */
export interface ShownBody {
  type: string
  value: unknown
}

const MAX_LINES = 80
// Only errors have this format: without a fallback it would make every resource unacceptable.
const PROBLEM = 'application/problem+json'

/** The exchange behind a page in full, the same resource as JSON, and ways to send it again. */
export function exchange(view: PageView, body?: ShownBody): Html {
  const { language, target, request, response, elapsedMs } = view
  const time = text(language, 'milliseconds', { count: Math.round(elapsedMs * 10) / 10 })
  const sent = requestMessage({ method: request.method, target, headers: request.headers }, language)
  const received = responseMessage({ ...response, notes: [time] }, language, body && bodyView(body, language))
  const call = createCall(view, body?.type ?? 'text/html')
  return html`<section id="exchange" aria-labelledby="exchange-title"><h2 id="exchange-title">${text(language, 'exchange')}</h2>
${sendAgain(view)}
<div class="exchange" aria-live="polite">${sent}${received}
<div class="stack">${codeBlock('curl', 'curl-line', messages.formatCurl(call), language)}${codeBlock('JavaScript', 'fetch-line', messages.formatFetch(call), language)}</div></div></section>`
}

/** The start line and the headers of a request, and its body. */
export function requestMessage(
  request: { method: string; target: string; headers: Headers },
  language: Language,
  body?: Content,
): Html {
  return messages.requestMessage(createElement, request, messageLabels[language], body)
}

/** The status line and the headers of a response, with notes on time and size, and its body. */
export function responseMessage(
  response: { status: number; headers: Headers; notes: readonly string[] },
  language: Language,
  body?: Content,
): Html {
  const { [response.status]: reason = '' } = STATUS_CODES
  return messages.responseMessage(createElement, { ...response, reason }, messageLabels[language], body)
}

/** A method, in the color of its kind. */
export function methodTag(method: string): Html {
  return messages.methodTag(createElement, method)
}

function bodyView({ type, value }: ShownBody, language: Language): Html {
  const whole = JSON.stringify(value, null, 2)
  const lines = whole.split('\n')
  const count = Buffer.byteLength(JSON.stringify(value))
  const more = lines.length - MAX_LINES
  const rest = more > 0 ? html`<p class="quiet">… ${text(language, 'moreLines', { count: more })}</p>` : ''
  return html`<p class="group">${text(language, 'sameResource', { type })} <span class="quiet">${text(language, 'byteCount', { count })}</span></p>
${codeView(lines.slice(0, MAX_LINES).join('\n'), type)}${rest}`
}

/** JSON, XML or any other text as the body of a message. */
export function codeView(code: string, type: string): Html {
  return html`<pre class="body" tabindex="0">${highlight(code, type)}</pre>`
}

/** A line for a shell, or a program, under its label. */
export function codeBlock(label: string, id: string, code: string, language: Language): Html {
  return html`<div class="message"><p class="label">${label}</p>${command(id, code, language)}</div>`
}

// Scripts send the request again, so nothing of it is there without them.
function sendAgain(view: PageView): Content {
  const { language, formats, site, request } = view
  if (request.method !== 'GET') return ''
  const choices = (name: string, values: readonly (readonly [value: string, label?: string])[]): Content =>
    values.map(
      ([value, label = value]) =>
        html`<button type="button" class="chip" data-again="${name}" data-value="${value}" aria-pressed="false">${label}</button>`,
    )
  const types = formats.map((type) => [type === PROBLEM ? `${type}, */*;q=0.5` : type, type] as const)
  const versions = site.versions.map((version) => [version] as const)
  const users = [...site.users.map(({ username }) => [username] as const), ['', text(language, 'anonymous')] as const]
  const row = (label: string, chips: Content): Html =>
    html`<div role="group" aria-label="${label}"><span class="quiet">${label}</span>${chips}</div>`
  return html`<div class="again" data-login="${showLogin(view) ?? ''}"><p class="label">${text(language, 'sendAgain')}</p>
${types.length > 0 ? row(text(language, 'sendFormat'), choices('accept', types)) : ''}
${row(text(language, 'sendVersion'), choices('version', versions))}
${site.users.length > 0 ? row(text(language, 'sendUser'), choices('user', users)) : ''}</div>`
}

/** A line for a shell with a button that copies it. */
export function command(id: string, line: string, language: Language): Html {
  return html`<div class="command"><pre id="${id}" tabindex="0">${line}</pre><button type="button" class="plain" data-copy="#${id}" data-copied="${text(language, 'copied')}">${text(language, 'copy')}</button></div>`
}

function createCall(view: PageView, accept: string): messages.HttpCall {
  return { url: view.baseUrl + view.target, user: showLogin(view), fields: { Accept: accept } }
}

/** Returns the credentials of the user, without those that are not public. */
function showLogin({ user, site }: PageView): string | undefined {
  if (user === undefined) return undefined
  return site.users.some(({ username }) => username === user) ? `${user}:${demoPassword(user)}` : 'name:password'
}

/** A call to try: a shell line and the response that it gets. */
export interface Example {
  says: TextKey
  path: string
  /** Arguments of curl after the URL, each in the quotes that a shell needs. */
  arguments: string
  status: number
}

const ADA = '-u ada:ada-demo'
const JSON_TYPE = "-H 'Content-Type: application/json'"

const CREATE = `${ADA} ${JSON_TYPE} -d '{"name":"Grace Hopper","department":"Engineering","salary":5000}'`

/** The calls that the startup banner shows. Tests run each of them. */
export const examples: readonly Example[] = [
  { says: 'example.page', path: '/employees?size=2', arguments: ADA, status: 200 },
  { says: 'example.xml', path: '/employees/1', arguments: `${ADA} -H 'Accept: application/xml'`, status: 200 },
  { says: 'example.create', path: '/employees', arguments: CREATE, status: 201 },
  { says: 'example.order', path: '/orders/3', arguments: `${ADA} -H 'Accept: application/hal+json'`, status: 200 },
  { says: 'example.token', path: '/tokens', arguments: `${ADA} -d grant_type=client_credentials`, status: 200 },
  { says: 'example.error', path: '/employees/999', arguments: ADA, status: 404 },
]

export function curlLine({ path, arguments: rest }: Example, url: string, flags = '-s'): string {
  return `curl ${flags} '${url}${path}' ${rest}`
}
