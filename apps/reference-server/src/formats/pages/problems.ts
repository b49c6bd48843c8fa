import type { ErrorContext } from '@svc/errors'
import type { Code } from '../../messages/errors.ts'
import { formatMessage, type MessageKey, message } from '../../messages/messages.ts'
import { pageSecurity } from '../../security/headers.ts'
import { toTone } from './assets/messages.js'
import { codeView, exchange } from './exchange.ts'
import { userTable } from './fields.ts'
import { type Content, type Definition, definitions, html } from './html.ts'
import { breadcrumbs, layout } from './layout.ts'
import { text } from './texts.ts'
import { createView, maskHeaders, type Page, type PageView, type SiteConfig } from './view.ts'

/** A code as its page describes it, whose address is the `type` of its problem documents. */
export interface ProblemInfo {
  name: Code
  path: string
  status: number
  title: string
  meaning: MessageKey
  remedy: MessageKey
  example: object
}

/** Renders all codes, or all link relations, with their meanings. */
export function catalogPage(
  view: PageView,
  kind: 'problemCodes' | 'relations',
  entries: readonly (Pick<RelationInfo, 'name' | 'path' | 'meaning'> & { status?: number })[],
): Page {
  const { language } = view
  const title = text(language, kind)
  const rows = entries.map(({ name, path, status, meaning }): Definition => {
    const badge = status && html`<span class="badge ${toTone(status)}">${status}</span> `
    return [html`<a href="${path}"><code>${name}</code></a>`, [badge, formatMessage(message(meaning), language)]]
  })
  const main = html`${breadcrumbs(view)}<h1>${title}</h1>
<p class="lead">${text(language, `${kind}Lead`)}</p>
${definitions(rows, 'fields listing')}`
  return { title, main }
}

export function problemPage(view: PageView, problem: ProblemInfo): Page {
  const { language } = view
  const { name, status, title, meaning, remedy, example } = problem
  const main = html`${breadcrumbs(view)}
<h1><code>${name}</code></h1>
<p class="lead"><span class="badge ${toTone(status)}">${status}</span> <span lang="en">${title}</span></p>
<div class="bench"><div><h2>${text(language, 'problemMeaning')}</h2><p>${formatMessage(message(meaning), language)}</p>
<h2>${text(language, 'problemRemedy')}</h2><p>${formatMessage(message(remedy), language)}</p></div>
<div><h2>${text(language, 'problemExample')}</h2>
<div lang="en">${codeView(JSON.stringify(example, null, 2), 'application/json')}</div></div></div>`
  return { title: name, main }
}

/** A relation of links as its page describes it. */
export interface RelationInfo {
  name: string
  path: string
  meaning: MessageKey
  usedBy: readonly { resource: string; href: string }[]
}

export function relationPage(view: PageView, { name, meaning, usedBy }: RelationInfo): Page {
  const { language } = view
  const rows = usedBy.map(({ resource, href }): Definition => [resource, html`<code>${href}</code>`])
  const uses = html`<h2>${text(language, 'relationUsedBy')}</h2>${definitions(rows, 'fields listing')}`
  const main = html`${breadcrumbs(view)}<h1><code>${name}</code></h1>
<p>${formatMessage(message(meaning), language)}</p>
${rows.length > 0 ? uses : ''}`
  return { title: name, main }
}

const TYPE = { 'Content-Type': 'text/html; charset=utf-8' }
const FORMATS = ['application/json', 'application/problem+json', 'application/xml', 'text/plain']

/** An Error record as a page. */
export function errorPage({ req, res, record, correlationId }: ErrorContext, site: SiteConfig): string {
  const view = createView(req, site)
  const { language } = view
  for (const [name, value] of Object.entries(pageSecurity)) res.setHeader(name, value)
  const problems = (record.errors ?? []).map(
    ({ pointer, field, detail }) => html`<li><code>${pointer || field || '/'}</code> ${detail}</li>`,
  )
  const response = { status: record.status, headers: maskHeaders({ ...TYPE, ...res.getHeaders() }) }
  // As `type` of a problem document names it.
  const problem = `/problems/${record.code?.toLowerCase().replaceAll('_', '-')}`
  const page = { ...view, formats: FORMATS, response }
  const main = html`${breadcrumbs(view)}
<h1><span class="badge ${toTone(record.status)}">${record.status}</span> <span lang="en">${record.error}</span></h1>
<p class="lead">${text(language, 'errorLead')}</p>
<div class="bench"><div><p class="notice ${toTone(record.status)}">${record.message}</p>
${problems.length ? html`<h2>${text(language, 'problems')}</h2><ul>${problems}</ul>` : ''}
${explainAccess(page, record.status)}</div>
<div class="wide facts" tabindex="0"><table><tbody>
${record.code ? html`<tr><th scope="row">code</th><td class="mono"><a href="${problem}">${record.code}</a></td></tr>` : ''}
${correlationId ? html`<tr><th scope="row">${text(language, 'correlation')}</th><td class="mono">${correlationLink(correlationId, site)}</td></tr>` : ''}
</tbody></table></div></div>
${exchange(page, { type: 'application/json', value: record })}`
  return layout(page, { title: `${record.status} ${record.error}`, main })
}

function correlationLink(id: string, { additions }: SiteConfig): Content {
  const [href] = additions.flatMap(({ recordHref }) => recordHref?.(id) ?? [])
  return href === undefined ? id : html`<a href="${href}">${id}</a>`
}

function explainAccess({ language, target, site }: PageView, status: number): Content {
  if (status !== 401 && !(status === 403 && site.users.length > 0)) return ''
  const lead =
    status === 401 && html`<p>${text(language, 'howToLogIn')} <a href="${target}">${text(language, 'tryAgain')}</a></p>`
  return html`${lead}${userTable(site.users, language)}`
}
