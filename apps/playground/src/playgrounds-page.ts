import { html, type Page, type PageView } from '../../reference-server/src/index.ts'
import { demoText } from './texts.ts'

const playgrounds = [
  ['negotiation', 'negotiate'],
  ['cache', 'negotiate'],
  ['faults', 'errors'],
  ['hal', 'hal'],
  ['versioning', 'versioning'],
  ['ratelimit', 'ratelimit'],
  ['idempotency', 'idempotency'],
  ['soap', 'soap-envelope'],
] as const

/** The list of playgrounds. */
export function playgroundsPage({ language }: PageView): Page {
  const title = demoText(language, 'playgrounds')
  const cards = playgrounds.map(
    ([name, used]) =>
      html`<li class="card"><p class="label mono">@svc/${used}</p><h2><a href="/play/${name}">${demoText(language, `${name}.title`)}</a></h2><p>${demoText(language, `${name}.card`)}</p></li>`,
  )
  const main = html`<h1>${title}</h1>
<p class="lead">${demoText(language, 'playLead')}</p>
<ul class="cards">${cards}</ul>`
  return { title, main }
}
