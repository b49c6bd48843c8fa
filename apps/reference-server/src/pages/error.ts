import type { ErrorContext } from '@svc/errors'
import { DEMO_USERS, demoPassword } from '../database/seed/demo-users.ts'
import { type Content, html } from './html.ts'
import { layout } from './layout.ts'
import { breadcrumbs } from './links.ts'
import { PAGE_POLICY } from './policy.ts'
import type { Site } from './site.ts'
import { text } from './texts.ts'
import { type PageView, viewOf } from './view.ts'

/** An Error record for people. */
export function errorPage({ req, res, record, correlationId }: ErrorContext, site: Site): string {
  const view = viewOf(req, site)
  const { language, path } = view
  res.setHeader('Content-Security-Policy', PAGE_POLICY)
  const problems = (record.errors ?? []).map(
    ({ pointer, field, detail }) => html`<li><code>${pointer || field || '/'}</code> ${detail}</li>`,
  )
  const main = html`${breadcrumbs(path, language)}
<h1><span class="badge bad">${record.status}</span> ${record.error}</h1>
<p class="quiet">${text(language, 'errorLead')}</p>
<p class="notice bad">${record.message}</p>
${problems.length ? html`<h2>${text(language, 'problems')}</h2><ul>${problems}</ul>` : ''}
${record.status === 401 ? howToLogIn(view) : ''}
<div class="wide facts" tabindex="0"><table><tbody>
${record.code ? html`<tr><th scope="row">code</th><td class="mono">${record.code}</td></tr>` : ''}
${correlationId ? html`<tr><th scope="row">${text(language, 'correlation')}</th><td class="mono">${correlationOf(correlationId, site)}</td></tr>` : ''}
</tbody></table></div>`
  return layout({ ...view, user: undefined }, { title: `${record.status} ${record.error}`, main })
}

function correlationOf(id: string, { isDemo }: Site): Content {
  return isDemo ? html`<a href="/_demo/requests?id=${encodeURIComponent(id)}">${id}</a>` : id
}

function howToLogIn({ language, target, site }: Pick<PageView, 'language' | 'target' | 'site'>): Content {
  const lead = html`<p>${text(language, 'logIn')} <a href="${target}">${text(language, 'tryAgain')}</a></p>`
  if (!site.isDemo) return lead
  return html`${lead}${userTable(language)}`
}

/** The users of the demo, for everybody to be. */
export function userTable(language: PageView['language']): Content {
  const rows = DEMO_USERS.map(
    ({ username, says }) =>
      html`<tr><td><code>${username}</code></td><td><code>${demoPassword(username)}</code></td><td>${says}</td></tr>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><thead><tr><th scope="col">${text(language, 'user')}</th><th scope="col">${text(language, 'password')}</th><th scope="col">${text(language, 'rights')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
