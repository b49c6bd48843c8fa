import {
  breadcrumbs,
  DEMO_USERS,
  html,
  type Page,
  type PageView,
  requestMessage,
  text,
} from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import { demoText } from './texts.ts'

const STARTS = ['/', '/orders/7', '/orders/1', '/employees?size=3', '/employees/1', '/cart'] as const

/**
 * A browser for HAL: links are followed, forms are filled in and sent, each with its request and
 * its response.
 */
export function halPage(view: PageView): Page {
  const { language } = view
  const title = demoText(language, 'hal.title')
  const starts = STARTS.map((href) => html`<li><a href="${href}" data-follow>${href}</a></li>`)
  const users = DEMO_USERS.map(({ username }) => html`<option>${username}</option>`)
  const empty = requestMessage({ method: 'GET', target: '/orders/7', headers: { accept: TYPE } }, language)
  const main = html`${breadcrumbs(view)}
<h1>${title}</h1>
<p class="lead">${demoText(language, 'hal.lead')}</p>
<noscript><p class="notice">${demoText(language, 'hal.script')}</p></noscript>
<form class="bar" id="hal" method="get" action="/orders/7" data-type="${TYPE}" data-links="${text(language, 'links')}" data-forms="${demoText(language, 'hal.forms')}" data-embedded="${demoText(language, 'hal.embedded')}" data-send="${text(language, 'send')}" data-none="${demoText(language, 'hal.none')}">
<label>${demoText(language, 'path')} <input name="target" value="/orders/7" autocomplete="off" spellcheck="false"></label>
<label>${text(language, 'sendUser')} <select name="user">${users}<option value="">${text(language, 'anonymous')}</option></select></label>
<button disabled>${demoText(language, 'hal.go')}</button></form>
<ul class="links" aria-label="${demoText(language, 'hal.starts')}">${starts}</ul>
<div class="bench"><div id="hal-resource" aria-live="polite"></div><div id="hal-exchange" class="stack">${empty}</div></div>`
  return { title, main, scripts: [scripts.hal], styles: [style] }
}

const TYPE = 'application/prs.hal-forms+json'
