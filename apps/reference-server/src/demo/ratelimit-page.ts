import { scripts } from '../pages/assets.ts'
import { type Html, html } from '../pages/html.ts'
import { breadcrumbs } from '../pages/links.ts'
import type { Page, PageView } from '../pages/view.ts'
import { POLICIES, RATE } from './burst.ts'

/** Bursts of two clients against one policy, and what they are told. */
export function ratelimitPage({ language, origin }: PageView): Page {
  const policies = Object.entries(POLICIES).map(
    ([name, says]) => html`<option value="${name}">${name}: ${says}</option>`,
  )
  const main = html`${breadcrumbs('/play/ratelimit', language)}
<h1>Rate limit</h1>
<p class="lead">Each client may send five requests in ten seconds. The fields of each answer say what is left.</p>
<noscript><p class="notice">The meters need JavaScript. On a command line: send this six times.</p></noscript>
<pre tabindex="0">curl -si '${origin}/play/ratelimit/calls?policy=gcra&amp;client=me'</pre>
<p><label>Policy <select id="policy">${policies}</select></label></p>
<div class="split" id="clients" data-rate="${RATE}">${client('a')}${client('b')}</div>`
  return { title: 'Rate limit', main, lang: 'en', scripts: [scripts.ratelimit] }
}

function client(name: string): Html {
  return html`<section class="card" data-client="${name}"><h2 id="client-${name}">Client ${name}</h2>
<meter min="0" max="5" low="1" optimum="5" value="5" aria-labelledby="client-${name}">5</meter>
<p><strong data-left>5</strong> left<span class="quiet" data-reset></span></p>
<p class="buttons"><button type="button" data-send="1" disabled>Send one</button> <button type="button" class="plain" data-send="8" disabled>Send eight</button></p>
<ol class="answers" aria-label="Answers to client ${name}"></ol>
<pre tabindex="0" data-fields hidden></pre></section>`
}
