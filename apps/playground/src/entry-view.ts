import {
  command,
  formatCurl,
  type Html,
  type HttpCall,
  html,
  type Language,
  MAX_LOGGED_TARGET,
  methodTag,
  requestMessage,
  responseMessage,
  text,
  toTone,
} from '../../reference-server/src/index.ts'
import type { Entry } from './exchanges.ts'
import { demoText } from './texts.ts'

/**
 * One exchange of the log: a line that opens to both messages and to a command that sends the
 * request again.
 */
export function entryView(entry: Entry, baseUrl: string, language: Language): Html {
  const { number, time, method, target, status, ms, user, correlationId, request, response } = entry
  const clock = html`<time datetime="${time}">${time.slice(11, 19)} UTC</time>`
  const duration = text(language, 'milliseconds', { count: ms })
  const id = html`<a href="/_demo/requests?id=${encodeURIComponent(correlationId)}">${correlationId}</a>`
  return html`<details class="request"><summary><span class="badge ${toTone(status)}">${status || demoText(language, 'broken')}</span> ${methodTag(method)} <code>${target}</code> <span class="quiet">${user ?? text(language, 'anonymous')}</span> <span class="quiet number">${duration}</span> <span class="quiet">${clock}</span></summary>
<div class="exchange">${requestMessage({ method, target, headers: request }, language)}${responseMessage({ status, headers: response, notes: [duration] }, language)}</div><p class="quiet">${text(language, 'correlation')} ${id}</p>
${isComplete(entry) ? html`<p class="says">${demoText(language, 'sendAgain')}</p>${command(`entry-${number}-${Date.parse(time)}`, formatCurl(toCall(entry, baseUrl)), language)}` : ''}</details>`
}

// Bodies are not stored. Targets are without their secrets, and truncated.
function isComplete({ target, request }: Entry): boolean {
  const hasBody = 'transfer-encoding' in request || Number(request['content-length'] ?? 0) > 0
  return !hasBody && !target.includes('=***') && target.length < MAX_LOGGED_TARGET
}

// Headers that curl and the connection add.
const AUTOMATIC = /^(?:host|connection|content-length|accept-encoding|user-agent|sec-|upgrade-|authorization$)/

function toCall({ method, target, request }: Entry, baseUrl: string): HttpCall {
  const shown = Object.entries(request).filter(([name, value]) => !AUTOMATIC.test(name) && !value.includes('***'))
  const fields = Object.fromEntries(shown)
  const user = 'authorization' in request ? 'name:password' : undefined
  return { method, url: baseUrl + target, user, fields }
}
