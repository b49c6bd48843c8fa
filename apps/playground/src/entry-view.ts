import {
  command,
  formatCurl,
  type Html,
  type HttpCall,
  html,
  type Language,
  requestMessage,
  responseMessage,
  text,
} from '../../reference-server/src/index.ts'
import type { Entry } from './exchanges.ts'
import { demoText } from './texts.ts'

/** One exchange of the log: a line, and behind it the fields and the call to send again. */
export function entryView(entry: Entry, origin: string, language: Language): Html {
  const { number, time, method, target, status, ms, user, correlationId, request, response } = entry
  const kind = status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'
  const clock = html`<time datetime="${time}">${time.slice(11, 19)}</time>`
  const duration = text(language, 'milliseconds', { count: ms })
  const id = html`<a href="/_demo/requests?id=${encodeURIComponent(correlationId)}">${correlationId}</a>`
  return html`<details class="request"><summary><span class="badge ${kind}">${status || demoText(language, 'broken')}</span> <code>${method} ${target}</code> <span class="quiet">${clock} · ${ms} ms · ${user ?? text(language, 'nobody')}</span></summary>
<div class="exchange">${requestMessage({ method, target, headers: request }, language)}${responseMessage({ status, headers: response, notes: [duration] }, language)}</div><p class="quiet">${text(language, 'correlation')} ${id}</p>
<p class="says">${demoText(language, 'sendAgain')}</p>${command(`entry-${number}`, formatCurl(callOf(entry, origin)), language)}</details>`
}

// What curl and the connection say by themselves; and the length of a body that is not kept.
const OWN = /^(?:host|connection|content-length|accept-encoding|user-agent|sec-|upgrade-|authorization$)/

function callOf({ method, target, request }: Entry, origin: string): HttpCall {
  const fields = Object.fromEntries(Object.entries(request).filter(([name]) => !OWN.test(name)))
  const user = 'authorization' in request ? 'name:password' : undefined
  return { method, url: origin + target, user, fields }
}
