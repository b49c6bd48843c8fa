import type { ErrorContext } from '@svc/errors'
import { requestStateOf } from '../../engine/request-state.ts'
import { pageSecurity } from '../../security/headers.ts'
import { exchange, toTone } from './exchange.ts'
import { type Content, html } from './html.ts'
import { layout } from './layout.ts'
import { breadcrumbs } from './links.ts'
import { text } from './texts.ts'
import { userTable } from './user-table.ts'
import { maskHeaders, type PageView, type SiteConfig, viewOf } from './view.ts'

// The page of a code, as `type` of a problem document names it.
function problemPath(code: string): string {
  return `/problems/${code.toLowerCase().replaceAll('_', '-')}`
}

const TYPE = { 'Content-Type': 'text/html; charset=utf-8' }
const FORMATS = ['application/json', 'application/problem+json', 'application/xml', 'text/plain']

/** An Error record as a page. */
export function errorPage({ req, res, record, correlationId }: ErrorContext, site: SiteConfig): string {
  const view = viewOf(req, site)
  const { language, path } = view
  for (const [name, value] of Object.entries(pageSecurity)) res.setHeader(name, value)
  const problems = (record.errors ?? []).map(
    ({ pointer, field, detail }) => html`<li><code>${pointer || field || '/'}</code> ${detail}</li>`,
  )
  const response = { status: record.status, headers: maskHeaders({ ...TYPE, ...res.getHeaders() }) }
  const page = { ...view, user: requestStateOf(req).caller?.name, formats: FORMATS, response }
  const main = html`${breadcrumbs(path, language)}
<h1><span class="badge ${toTone(record.status)}">${record.status}</span> ${record.error}</h1>
<p class="lead">${text(language, 'errorLead')}</p>
<div class="bench"><div><p class="notice ${toTone(record.status)}">${record.message}</p>
${problems.length ? html`<h2>${text(language, 'problems')}</h2><ul>${problems}</ul>` : ''}
${whoMay(view, record.status)}</div>
<div class="wide facts" tabindex="0"><table><tbody>
${record.code ? html`<tr><th scope="row">code</th><td class="mono"><a href="${problemPath(record.code)}">${record.code}</a></td></tr>` : ''}
${correlationId ? html`<tr><th scope="row">${text(language, 'correlation')}</th><td class="mono">${correlationLink(correlationId, site)}</td></tr>` : ''}
</tbody></table></div></div>
${exchange(page, { type: 'application/json', value: record })}`
  return layout(page, { title: `${record.status} ${record.error}`, main })
}

function correlationLink(id: string, { additions }: SiteConfig): Content {
  const [href] = additions.flatMap(({ recordHref }) => recordHref?.(id) ?? [])
  return href === undefined ? id : html`<a href="${href}">${id}</a>`
}

function whoMay({ language, target, site }: Pick<PageView, 'language' | 'target' | 'site'>, status: number): Content {
  if (status !== 401 && !(status === 403 && site.users.length > 0)) return ''
  const lead =
    status === 401 && html`<p>${text(language, 'howToLogIn')} <a href="${target}">${text(language, 'tryAgain')}</a></p>`
  return html`${lead}${userTable(site.users, language)}`
}
