import { html, type Page, type PageView, text } from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import { entryView } from './entry-view.ts'
import { type Entry, type EntryFilter, MAX_ENTRIES } from './exchanges.ts'
import { demoText } from './texts.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'OPTIONS']

/** The last requests, the newest first; with JavaScript on it grows by itself. */
export function requestsPage(
  { target, language, baseUrl }: PageView,
  entries: readonly Entry[],
  filter: EntryFilter,
): Page {
  const say = (key: Parameters<typeof demoText>[1]): string => demoText(language, key)
  const search = target.includes('?') ? target.slice(target.indexOf('?')) : ''
  const methods = METHODS.map((name) => html`<option${name === filter.method ? html` selected` : ''}>${name}</option>`)
  const title = demoText(language, 'requests')
  const main = html`<h1>${title}</h1>
<p class="lead">${demoText(language, 'requestsLead', { count: MAX_ENTRIES })} <span class="badge" id="live" hidden>${say('live')}</span></p>
<form class="form" method="get" action="/_demo/requests" data-drop-empty>
<label>${say('method')}<select name="method"><option value="">${say('all')}</option>${methods}</select></label>
<label>${say('status')}<input name="status" value="${filter.status ?? ''}" placeholder="4 | 404" inputmode="numeric"></label>
<label>${say('path')}<input name="path" value="${filter.path ?? ''}" placeholder="/orders"></label>
<label>${text(language, 'correlation')}<input name="id" value="${filter.id ?? ''}"></label>
<span><button>${text(language, 'filters')}</button> <a href="/_demo/requests">${text(language, 'reset')}</a></span></form>
<div id="requests" data-events="/_demo/requests/events${search}" data-kept="${MAX_ENTRIES}">${entries.map((entry) => entryView(entry, baseUrl, language))}</div>
<p class="empty" id="no-requests"${entries.length > 0 ? html` hidden` : ''}>${say('noRequests')} <a href="/employees">/employees</a></p>`
  return { title, main, scripts: [scripts.requests], styles: [style] }
}
