import type { Code } from '../../messages/codes.ts'
import { formatMessage, type MessageKey, message } from '../../messages/messages.ts'
import { html } from './html.ts'
import { breadcrumbs } from './links.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

/** What is told about a code: the page that the `type` of its problem documents leads to. */
export interface ProblemInfo {
  code: Code
  path: string
  status: number
  title: string
  meaning: MessageKey
  remedy: MessageKey
  /** The Error record of a failure with this code. */
  example: object
}

/** Every code, with what it means. */
export function problemsPage({ language, path }: PageView, problems: readonly ProblemInfo[]): Page {
  const title = text(language, 'problemCodes')
  const rows = problems.map(
    ({ code, path, status, meaning }) => html`<tr><th scope="row"><a href="${path}"><code>${code}</code></a></th>
<td>${status}</td><td>${formatMessage(message(meaning), language)}</td></tr>`,
  )
  const main = html`${breadcrumbs(path, language)}<h1>${title}</h1>
<p class="lead">${text(language, 'problemCodesLead')}</p>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">code</th>
<th scope="col">${text(language, 'problemStatus')}</th><th scope="col">${text(language, 'problemMeaning')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
  return { title, main }
}

/** One code: what it means, what to do, and a response that has it. */
export function problemPage({ language, path }: PageView, problem: ProblemInfo): Page {
  const { code, status, title, meaning, remedy, example } = problem
  const main = html`${breadcrumbs(path, language)}
<h1><span class="badge bad">${status}</span> <code>${code}</code></h1>
<p class="quiet" lang="en">${status} ${title}</p>
<h2>${text(language, 'problemMeaning')}</h2><p>${formatMessage(message(meaning), language)}</p>
<h2>${text(language, 'problemRemedy')}</h2><p>${formatMessage(message(remedy), language)}</p>
<h2>${text(language, 'problemExample')}</h2>
<pre tabindex="0" lang="en">${JSON.stringify(example, null, 2)}</pre>`
  return { title: code, main }
}

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
