import { scripts } from '../pages/assets.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page, PageView } from '../pages/view.ts'
import type { Entry, EntryFilter } from './exchanges.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'OPTIONS']

/** The last requests, the newest first; with JavaScript on it grows by itself. */
export function requestsPage({ target }: PageView, entries: readonly Entry[], filter: EntryFilter): Page {
  const search = target.includes('?') ? target.slice(target.indexOf('?')) : ''
  const methods = METHODS.map((name) => html`<option${name === filter.method ? html` selected` : ''}>${name}</option>`)
  const main = html`<h1>Requests</h1>
<p>The last 200, the newest first. Credentials are left out. <span class="badge" id="live" hidden>live</span></p>
<form class="form" method="get" action="/_demo/requests" data-drop-empty>
<label>Method<select name="method"><option value="">all</option>${methods}</select></label>
<label>Status<input name="status" value="${filter.status ?? ''}" placeholder="4 or 404" inputmode="numeric"></label>
<label>Path<input name="path" value="${filter.path ?? ''}" placeholder="/orders"></label>
<label>Correlation id<input name="id" value="${filter.id ?? ''}"></label>
<span><button>Filter</button> <a href="/_demo/requests">Reset</a></span></form>
<div id="requests" data-events="/_demo/requests/events${search}">${entries.map(entryView)}</div>
<p class="quiet" id="no-requests"${entries.length > 0 ? html` hidden` : ''}>Nothing yet: open <a href="/employees">some page</a> in another tab.</p>`
  return { title: 'Requests', main, lang: 'en', scripts: [scripts.requests] }
}

function entryView(entry: Entry): Html {
  const { time, method, target, status, ms, user, correlationId, request, response } = entry
  const kind = status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return html`<details class="request"><summary><span class="badge ${kind}">${status || 'broken'}</span> <code>${method} ${target}</code> <span class="quiet">${time.slice(11, 19)} · ${ms} ms · ${user ?? 'nobody'}</span></summary>
<pre tabindex="0">${method} ${target}
${lines(request)}

${status}
${lines(response)}</pre><p class="quiet">Correlation id <a href="/_demo/requests?id=${encodeURIComponent(correlationId)}">${correlationId}</a></p></details>`
}

function lines(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
