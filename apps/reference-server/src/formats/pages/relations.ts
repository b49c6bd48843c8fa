import { formatMessage, type MessageKey, message } from '../../messages/messages.ts'
import { html } from './html.ts'
import { breadcrumbs } from './links.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

/** What is told about a relation of links. */
export interface RelationInfo {
  name: string
  path: string
  meaning: MessageKey
  usedBy: readonly { resource: string; href: string }[]
}

/** Every relation of links, with what it means. */
export function relationsPage({ language, path }: PageView, relations: readonly RelationInfo[]): Page {
  const title = text(language, 'relations')
  const rows = relations.map(
    ({ name, path, meaning }) => html`<tr><th scope="row"><a href="${path}"><code>${name}</code></a></th>
<td>${formatMessage(message(meaning), language)}</td></tr>`,
  )
  const main = html`${breadcrumbs(path, language)}<h1>${title}</h1>
<p class="lead">${text(language, 'relationsLead')}</p>
<div class="wide" tabindex="0"><table><tbody>${rows}</tbody></table></div>`
  return { title, main }
}

/** One relation: what it means, and which resources have it. */
export function relationPage({ language, path }: PageView, { name, meaning, usedBy }: RelationInfo): Page {
  const rows = usedBy.map(
    ({ resource, href }) => html`<tr><th scope="row">${resource}</th><td><code>${href}</code></td></tr>`,
  )
  const uses = html`<h2>${text(language, 'relationUsedBy')}</h2>
<div class="wide" tabindex="0"><table><tbody>${rows}</tbody></table></div>`
  const main = html`${breadcrumbs(path, language)}<h1><code>${name}</code></h1>
<p>${formatMessage(message(meaning), language)}</p>
${rows.length > 0 ? uses : ''}`
  return { title: name, main }
}
