import {
  command,
  formatCurl,
  type Html,
  type HttpCall,
  html,
  type Language,
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
  const clock = html`<time datetime="${time}">${time.slice(11, 19)}</time>`
  const duration = text(language, 'milliseconds', { count: ms })
  const id = html`<a href="/_demo/requests?id=${encodeURIComponent(correlationId)}">${correlationId}</a>`
  return html`<details class="request"><summary><span class="badge ${toTone(status)}">${status || demoText(language, 'broken')}</span> ${methodTag(method)} <code>${target}</code> <span class="quiet">${user ?? text(language, 'anonymous')}</span> <span class="quiet number">${duration}</span> <span class="quiet">${clock}</span></summary>
<div class="exchange">${requestMessage({ method, target, headers: request }, language)}${responseMessage({ status, headers: response, notes: [duration] }, language)}</div><p class="quiet">${text(language, 'correlation')} ${id}</p>
<p class="says">${demoText(language, 'sendAgain')}</p>${command(`entry-${number}`, formatCurl(toCall(entry, baseUrl)), language)}</details>`
}

// Headers that curl and the connection add, and the length of a body that is not stored.
const AUTOMATIC = /^(?:host|connection|content-length|accept-encoding|user-agent|sec-|upgrade-|authorization$)/

function toCall({ method, target, request }: Entry, baseUrl: string): HttpCall {
  const fields = Object.fromEntries(Object.entries(request).filter(([name]) => !AUTOMATIC.test(name)))
  const user = 'authorization' in request ? 'name:password' : undefined
  return { method, url: baseUrl + target, user, fields }
}
