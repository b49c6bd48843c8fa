import {
  breadcrumbs,
  command,
  type Html,
  html,
  type Language,
  type Page,
  type PageView,
} from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import { BURST } from './burst.ts'
import { POLICIES, policyCurve } from './policies.ts'
import { demoText } from './texts.ts'

/** Bursts of two clients against one policy, with the responses that they get. */
export function ratelimitPage(view: PageView): Page {
  const { language, baseUrl } = view
  const title = demoText(language, 'ratelimit.title')
  const policies = POLICIES.map(
    (name, index) =>
      html`<label class="policy"><input type="radio" name="policy" value="${name}"${index === 0 ? html` checked` : ''}><span class="mono">${name}</span>${policyCurve(name)}<span class="quiet">${demoText(language, `policy.${name}`)}</span></label>`,
  )
  const line = `curl -si '${baseUrl}/play/ratelimit/calls?policy=gcra&client=me'`
  const main = html`${breadcrumbs(view)}
<h1>${title}</h1>
<p class="lead">${demoText(language, 'ratelimit.lead')}</p>
<noscript><p class="notice">${demoText(language, 'rateScript')}</p></noscript>
<form id="policies"><fieldset class="policies"><legend class="label">${demoText(language, 'policy')}</legend>${policies}</fieldset></form>
<div class="split" id="clients" data-burst="${BURST}" data-back="${demoText(language, 'backIn')}">${client('A', language)}${client('B', language)}</div>
<h2>${demoText(language, 'theCall')}</h2>
${command('call', line, language)}`
  return { title, main, scripts: [scripts.ratelimit], styles: [style] }
}

function client(name: string, language: Language): Html {
  const id = name.toLowerCase()
  return html`<section class="card" data-client="${id}"><h2 id="client-${id}">${demoText(language, 'client', { name })}</h2>
<meter min="0" max="${BURST}" low="1" optimum="${BURST}" value="${BURST}" aria-labelledby="client-${id}">${BURST}</meter>
<p><span role="status"><strong data-left>${BURST}</strong> ${demoText(language, 'left')}</span><span class="quiet" data-reset></span></p>
<p class="buttons"><button type="button" data-send="1" disabled>${demoText(language, 'sendOne')}</button> <button type="button" class="plain" data-send="8" disabled>${demoText(language, 'sendEight')}</button></p>
<ol class="statuses" aria-label="${demoText(language, 'answersTo', { name })}"></ol>
<div class="stack" data-fields hidden></div></section>`
}
