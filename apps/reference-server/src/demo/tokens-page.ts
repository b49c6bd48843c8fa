import { DEMO_USERS } from '../database/seed/demo-users.ts'
import { scripts } from '../pages/assets.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/view.ts'
import { FLAWS } from './mint.ts'

/** Makes tokens, right ones and wrong ones, and tries them. */
export function tokensPage(): Page {
  const users = DEMO_USERS.map(({ username, says }) => html`<option value="${username}">${username} (${says})</option>`)
  const flaws = Object.entries(FLAWS).map(([name, says]) => html`<option value="${name}">${name}: ${says}</option>`)
  const main = html`<h1>Tokens</h1>
<p class="lead">Access tokens for this machine alone: for a user, with some scopes, for some time, and wrong ones too.</p>
<noscript><p class="notice">Without JavaScript: <code>curl -u ada:ada-demo -d grant_type=client_credentials</code> at <code>/tokens</code>.</p></noscript>
<form class="form" id="token-form">
<label>User<select name="user">${users}</select></label>
<label>Scopes<input name="scope" placeholder="all of the user"></label>
<label>Seconds<input name="lifetimeSeconds" type="number" min="1" max="3600" value="900"></label>
<label>What is wrong with it<select name="flaw">${flaws}</select></label>
<span><button disabled>Make a token</button></span></form>
<output id="token-problem"></output>
<div id="token" hidden><h2>The token</h2><div class="command"><pre id="token-text" tabindex="0" class="wrap"></pre><button type="button" class="plain" data-copy="#token-text" data-copied="Copied">Copy</button></div>
<h2>What it says</h2><pre id="token-claims" tabindex="0"></pre>
<h2>Try it</h2><p><label>Path <input id="token-path" class="narrow" value="/employees/1"></label> <button type="button" id="token-try">Send</button></p>
<pre id="token-answer" tabindex="0" hidden></pre></div>`
  return { title: 'Tokens', main, lang: 'en', scripts: [scripts.tokens] }
}
