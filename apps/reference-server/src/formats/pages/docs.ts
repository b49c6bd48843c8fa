import type { Language } from '../../messages/locale.ts'
import { scripts, swagger } from './assets.ts'
import { type Html, html } from './html.ts'
import { text } from './texts.ts'
import { userChoice } from './user-table.ts'
import type { Page, PageView } from './view.ts'

/** The operations of a version, to read and to try: Swagger UI on our own document, with nothing from outside. */
export function docsPage({ site, language }: PageView, version: string): Page {
  const title = text(language, 'operations')
  const main = html`<h1>${title}</h1>
<p class="lead">${text(language, 'operationsLead')}</p>
<ul class="links">${site.versions.map((one) => versionLinks(one, version, language))}</ul>
${userChoice(site.users, { id: 'docs-user', label: text(language, 'tryAs'), language })}
<noscript><p class="notice">${text(language, 'operationsScript')}</p></noscript>
<div id="swagger" lang="en" data-url="/v${version}/openapi.json"></div>`
  return { title, main, scripts: [swagger.script, scripts.docs], styles: [swagger.style] }
}

function versionLinks(version: string, current: string, language: Language): Html {
  const isCurrent = version === current ? html` aria-current="page"` : ''
  return html`<li><a href="/v${version}/docs"${isCurrent}>${text(language, 'versionNumber', { number: version })}</a></li>
<li><a href="/v${version}/openapi.json">v${version}/openapi.json</a></li>`
}

/** The document itself, for people. */
export function documentPage({ language }: PageView, document: unknown, version: string): Page {
  const title = text(language, 'documentTitle')
  const main = html`<h1>${title}</h1>
<p>${text(language, 'documentLead')} <a href="/v${version}/docs">${text(language, 'operations')}</a></p>
<pre tabindex="0" lang="en">${JSON.stringify(document, null, 2)}</pre>`
  return { title, main }
}
