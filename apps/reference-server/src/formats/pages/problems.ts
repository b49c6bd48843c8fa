import type { Code } from '../../messages/codes.ts'
import { formatMessage, type MessageKey, message } from '../../messages/messages.ts'
import { codeView, toTone } from './exchange.ts'
import { html } from './html.ts'
import { breadcrumbs } from './links.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

/** A code as its page describes it. The `type` of its problem documents is the address of that page. */
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
    ({ code, path, status, meaning }) => html`<div><dt><a href="${path}"><code>${code}</code></a></dt>
<dd><span class="badge ${toTone(status)}">${status}</span> ${formatMessage(message(meaning), language)}</dd></div>`,
  )
  const main = html`${breadcrumbs(path, language)}<h1>${title}</h1>
<p class="lead">${text(language, 'problemCodesLead')}</p>
<dl class="fields listing">${rows}</dl>`
  return { title, main }
}

/** One code: what it means, what to do, and a response that has it. */
export function problemPage({ language, path }: PageView, problem: ProblemInfo): Page {
  const { code, status, title, meaning, remedy, example } = problem
  const main = html`${breadcrumbs(path, language)}
<h1><code>${code}</code></h1>
<p class="lead"><span class="badge ${toTone(status)}">${status}</span> <span lang="en">${title}</span></p>
<div class="bench"><div><h2>${text(language, 'problemMeaning')}</h2><p>${formatMessage(message(meaning), language)}</p>
<h2>${text(language, 'problemRemedy')}</h2><p>${formatMessage(message(remedy), language)}</p></div>
<div><h2>${text(language, 'problemExample')}</h2>
<div lang="en">${codeView(JSON.stringify(example, null, 2), 'application/json')}</div></div></div>`
  return { title: code, main }
}

/** A relation of links as its page describes it. */
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
    ({ name, path, meaning }) => html`<div><dt><a href="${path}"><code>${name}</code></a></dt>
<dd>${formatMessage(message(meaning), language)}</dd></div>`,
  )
  const main = html`${breadcrumbs(path, language)}<h1>${title}</h1>
<p class="lead">${text(language, 'relationsLead')}</p>
<dl class="fields listing">${rows}</dl>`
  return { title, main }
}

/** One relation: what it means, and which resources have it. */
export function relationPage({ language, path }: PageView, { name, meaning, usedBy }: RelationInfo): Page {
  const rows = usedBy.map(({ resource, href }) => html`<div><dt>${resource}</dt><dd><code>${href}</code></dd></div>`)
  const uses = html`<h2>${text(language, 'relationUsedBy')}</h2><dl class="fields listing">${rows}</dl>`
  const main = html`${breadcrumbs(path, language)}<h1><code>${name}</code></h1>
<p>${formatMessage(message(meaning), language)}</p>
${rows.length > 0 ? uses : ''}`
  return { title: name, main }
}
