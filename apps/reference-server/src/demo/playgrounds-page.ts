import { html } from '../pages/html.ts'
import type { Page } from '../pages/view.ts'

const playgrounds: readonly (readonly [path: string, title: string, says: string])[] = [
  ['/play/ratelimit', 'Rate limit', 'Send bursts as two clients, and see units come back.'],
  ['/play/idempotency', 'Idempotency', 'Send the same order twice, five times at once, and with another body.'],
  ['/play/negotiation', 'Negotiation', 'Weigh formats, languages and codings, and see why one was chosen.'],
  ['/play/cache', 'Caching', 'Ask again for nothing, and save over nobody.'],
  ['/play/versioning', 'Versions', 'One resource in two versions, named in three ways.'],
  ['/play/faults', 'Faults', 'Break things on purpose, and read what clients are told.'],
]

/** The list of playgrounds. */
export function playgroundsPage(): Page {
  const cards = playgrounds.map(
    ([path, title, says]) => html`<li class="card"><h2><a href="${path}">${title}</a></h2><p>${says}</p></li>`,
  )
  const main = html`<h1>Playgrounds</h1>
<p class="lead">Each sends real requests to this server and shows what went over the wire.</p>
<ul class="cards">${cards}</ul>`
  return { title: 'Playgrounds', main, lang: 'en' }
}
