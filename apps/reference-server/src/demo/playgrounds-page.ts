import { html } from '../formats/pages/html.ts'
import { text } from '../formats/pages/texts.ts'
import type { Page, PageView } from '../formats/pages/view.ts'
import { demoText } from './texts.ts'

const playgrounds = ['ratelimit', 'idempotency', 'negotiation', 'cache', 'versioning', 'faults'] as const

/** The list of playgrounds. */
export function playgroundsPage({ language }: PageView): Page {
  const title = text(language, 'playgrounds')
  const cards = playgrounds.map(
    (name) =>
      html`<li class="card"><h2><a href="/play/${name}">${demoText(language, `${name}.title`)}</a></h2><p>${demoText(language, `${name}.card`)}</p></li>`,
  )
  const main = html`<h1>${title}</h1>
<p class="lead">${demoText(language, 'playLead')}</p>
<ul class="cards">${cards}</ul>`
  return { title, main }
}
