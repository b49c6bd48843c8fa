import {
  codeView,
  DEMO_USERS,
  type Html,
  html,
  type Language,
  type Page,
  type PageView,
  requestMessage,
  text,
} from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import { FLAWS } from './mint.ts'
import { demoText } from './texts.ts'

const LIFETIME_SECONDS = 900

/**
 * Creates tokens, valid or with one flaw, and sends them: each time with the request and the
 * response.
 */
export function tokensPage({ language, baseUrl }: PageView): Page {
  const title = demoText(language, 'tokens')
  const line = `curl -s '${baseUrl}/tokens' -u ada:ada-demo -d grant_type=client_credentials`
  const main = html`<h1>${title}</h1>
<p class="lead">${demoText(language, 'tokensLead')}</p>
<noscript><p class="notice">${demoText(language, 'tokensScript')} <code>${line}</code></p></noscript>
<div class="bench"><div>${tokenForm(language)}
<output id="token-problem"></output>
<div id="token" hidden><h2>${demoText(language, 'theToken')}</h2><div class="command"><pre id="token-text" tabindex="0"></pre><button type="button" class="plain" data-copy="#token-text" data-copied="${text(language, 'copied')}">${text(language, 'copy')}</button></div>
<h2>${demoText(language, 'itsClaims')}</h2><div id="token-claims"></div></div></div>
<div class="stack" id="token-exchange" aria-live="polite">${firstRequest(language)}</div></div>
<section id="token-use" hidden><h2>${demoText(language, 'tryIt')}</h2>
<form class="bar" id="token-try"><label>${demoText(language, 'path')}<input name="target" value="/employees/1" autocomplete="off" spellcheck="false"></label><button>${text(language, 'send')}</button></form>
<div class="exchange" id="token-response" aria-live="polite"></div></section>`
  return { title, main, scripts: [scripts.tokens], styles: [style] }
}

function tokenForm(language: Language): Html {
  const users = DEMO_USERS.map(
    ({ username, role }) => html`<option value="${username}">${username} (${text(language, `role.${role}`)})</option>`,
  )
  const flaws = FLAWS.map((name) => html`<option value="${name}">${demoText(language, `flaw.${name}`)}</option>`)
  return html`<form class="form" id="token-form" data-unanswered="${text(language, 'unanswered')}">
<label>${text(language, 'user')}<select name="user">${users}</select></label>
<label>${demoText(language, 'scopes')}<input name="scope" placeholder="${demoText(language, 'allScopes')}"></label>
<label>${demoText(language, 'lifetime')}<input name="lifetimeSeconds" type="number" min="1" max="3600" value="${LIFETIME_SECONDS}"></label>
<label>${demoText(language, 'flaw')}<select name="flaw">${flaws}</select></label>
<span><button disabled>${demoText(language, 'makeToken')}</button></span></form>`
}

// The request that the form sends as long as nothing is changed in it.
function firstRequest(language: Language): Html {
  const body = { user: DEMO_USERS[0]?.username, scope: '', lifetimeSeconds: LIFETIME_SECONDS, flaw: FLAWS[0] }
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const shown = codeView(JSON.stringify(body, null, 2), 'application/json')
  return requestMessage({ method: 'POST', target: '/_demo/tokens', headers }, language, shown)
}
