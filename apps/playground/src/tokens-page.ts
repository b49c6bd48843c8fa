import { command, DEMO_USERS, html, type Page, type PageView, text } from '../../reference-server/src/index.ts'
import { scripts } from './assets.ts'
import { FLAWS } from './mint.ts'
import { demoText } from './texts.ts'

/** Makes tokens, right ones and wrong ones, and tries them. */
export function tokensPage({ language, origin }: PageView): Page {
  const users = DEMO_USERS.map(
    ({ username, role }) => html`<option value="${username}">${username} (${text(language, `role.${role}`)})</option>`,
  )
  const flaws = FLAWS.map((name) => html`<option value="${name}">${demoText(language, `flaw.${name}`)}</option>`)
  const title = demoText(language, 'tokens')
  const line = `curl -s '${origin}/tokens' -u ada:ada-demo -d grant_type=client_credentials`
  const main = html`<h1>${title}</h1>
<p class="lead">${demoText(language, 'tokensLead')}</p>
<noscript><p class="notice">${demoText(language, 'tokensScript')} <code>${line}</code></p></noscript>
<form class="form" id="token-form">
<label>${text(language, 'user')}<select name="user">${users}</select></label>
<label>${demoText(language, 'scopes')}<input name="scope" placeholder="${demoText(language, 'allScopes')}"></label>
<label>${demoText(language, 'lifetime')}<input name="lifetimeSeconds" type="number" min="1" max="3600" value="900"></label>
<label>${demoText(language, 'flaw')}<select name="flaw">${flaws}</select></label>
<span><button disabled>${demoText(language, 'makeToken')}</button></span></form>
<output id="token-problem"></output>
<div id="token" hidden><h2>${demoText(language, 'theToken')}</h2>${command('token-text', '', language)}
<h2>${demoText(language, 'itsClaims')}</h2><pre id="token-claims" tabindex="0" class="wrap"></pre>
<h2>${demoText(language, 'tryIt')}</h2><p><label>${demoText(language, 'path')} <input id="token-path" class="narrow" value="/employees/1"></label> <button type="button" id="token-try">${text(language, 'send')}</button></p>
<pre id="token-answer" tabindex="0" class="wrap" hidden></pre></div>`
  return { title, main, scripts: [scripts.tokens] }
}
