import { DEMO_USERS } from '../database/seed/demo-users.ts'
import { scripts, swagger } from './assets.ts'
import { html } from './html.ts'
import type { Page, PageView } from './view.ts'

/** The operations, to read and to try: Swagger UI on our own document, with nothing from outside. */
export function docsPage({ site }: PageView): Page {
  const users = DEMO_USERS.map(({ username, says }) => html`<option value="${username}">${username} (${says})</option>`)
  const logIn = html`<p><label>Try operations as <select id="docs-user" class="narrow"><option value="">nobody</option>${users}</select></label></p>`
  const main = html`<h1>Operations</h1>
<p>OpenAPI 3.1, made from the declarations that requests are validated by: <a href="/openapi.json">version 1</a>, <a href="/v2/openapi.json">version 2</a>.</p>
${site.isDemo ? logIn : ''}
<noscript><p class="notice">The operations can be tried with JavaScript on; the document is there without.</p></noscript>
<div id="swagger" data-url="/openapi.json"></div>`
  return { title: 'Operations', main, lang: 'en', scripts: [swagger.script, scripts.docs], styles: [swagger.style] }
}

/** The document itself, for people. */
export function documentPage(document: unknown): Page {
  const main = html`<h1>OpenAPI document</h1>
<p>Every operation can be tried on the page <a href="/docs">Operations</a>.</p>
<pre tabindex="0">${JSON.stringify(document, null, 2)}</pre>`
  return { title: 'OpenAPI', main, lang: 'en' }
}
