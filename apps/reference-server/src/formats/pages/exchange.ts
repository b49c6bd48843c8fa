import { demoPassword } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'
import { type CurlCall, curlOf } from './curl.ts'
import { type Content, type Html, html } from './html.ts'
import { text } from './texts.ts'
import type { PageView } from './view.ts'

/** Links to the other representations of what the page shows. */
export function formatMenu({ language, formats }: PageView): Content {
  if (formats.length === 0) return ''
  const links = formats.map((type) => html`<li><a href="#curl-line" data-format="${type}">${type}</a></li>`)
  return html`<h2>${text(language, 'formats')}</h2><ul class="links">${links}</ul><pre id="format" hidden tabindex="0"></pre>`
}

/** The fields of the request and of the answer, and the call as a line for a shell. */
export function exchange(view: PageView): Html {
  const { language, target, request, response } = view
  return html`<details><summary>${text(language, 'exchange')}</summary>
<div class="split"><figure><figcaption>${text(language, 'request')}</figcaption><pre tabindex="0">${request.method} ${target} HTTP/1.1
${fieldLines(request.headers)}</pre></figure>
<figure><figcaption>${text(language, 'response')}</figcaption><pre tabindex="0">HTTP/1.1 ${response.status}
${fieldLines(response.headers)}</pre></figure></div></details>
<details><summary>${text(language, 'sameCall')}</summary>${command('curl-line', curlOf(callOf(view)), language)}</details>`
}

/** A line for a shell with a button that copies it. */
export function command(id: string, line: string, language: Language): Html {
  return html`<div class="command"><pre id="${id}" tabindex="0">${line}</pre><button type="button" class="plain" data-copy="#${id}" data-copied="${text(language, 'copied')}">${text(language, 'copy')}</button></div>`
}

/** Fields as they stand on the wire. */
export function fieldLines(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function callOf({ origin, target, user, site }: PageView): CurlCall {
  const isKnown = site.users.some(({ username }) => username === user)
  const password = user !== undefined && isKnown ? demoPassword(user) : 'password'
  const fields = { Accept: 'text/html' }
  return { url: origin + target, user: user && `${isKnown ? user : 'name'}:${password}`, fields }
}
