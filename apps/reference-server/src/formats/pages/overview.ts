import { demoPassword } from '../../domain/seed/demo-users.ts'
import { curlLine, examples } from './examples.ts'
import { command, exchange } from './exchange.ts'
import { type Content, type Html, html } from './html.ts'
import { packageCards } from './package-cards.ts'
import { requestFlow } from './request-flow.ts'
import { text } from './texts.ts'
import { userTable } from './user-table.ts'
import type { Page, PageView } from './view.ts'

export interface OverviewFacts {
  isReady: boolean
  /** Paths of the collections by their name. */
  collections: Readonly<Record<string, string>>
}

/** The first page: what this is, and where each part of it can be seen at work. */
export function overviewPage(view: PageView, { isReady, collections }: OverviewFacts): Page {
  const { site, language } = view
  const links = Object.entries(collections).map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)
  const state = isReady ? html`<span class="badge good">pass</span>` : html`<span class="badge bad">fail</span>`
  const main = html`<h1>${text(language, 'overviewTitle')}</h1>
<p class="lead">${text(language, 'overviewLead')}</p>
${firstUser(view)}
${figures(view, state)}
<h2>${text(language, 'requestFlow')}</h2>
<p>${text(language, 'requestFlowLead')}</p>
${requestFlow(language)}
<h2>${text(language, 'packagesAtWork')}</h2>
${packageCards(view)}
<h2>${text(language, 'resources')}</h2>
<ul class="links">${links}</ul>
${site.users.length > 0 ? usersAndLines(view) : ''}
${exchange(view)}`
  return { title: text(language, 'overview'), main }
}

function figures({ language, site }: PageView, state: Content): Html {
  const all = site.additions.flatMap(({ figures }) => figures?.(language) ?? [])
  const tiles = all.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)
  return html`<dl class="figures" aria-label="${text(language, 'now')}"><div><dt><a href="/health">${text(language, 'health')}</a></dt><dd>${state}</dd></div>${tiles}</dl>`
}

function firstUser({ language, site }: PageView): Content {
  const [user] = site.users
  if (!user) return ''
  const values = { user: user.username, password: demoPassword(user.username) }
  return html`<p>${text(language, 'overviewUser', values)}</p>`
}

function usersAndLines(view: PageView): Content {
  const { language, site } = view
  return html`<h2>${text(language, 'users')}</h2>
<p>${text(language, 'usersLead')}</p>
${userTable(site.users, language)}
<h2>${text(language, 'commandLine')}</h2>
${examples.map((example, at) => curl(view, example, at))}`
}

function curl({ origin, language }: PageView, example: (typeof examples)[number], at: number): Html {
  const { says, status } = example
  const line = command(`example-${at}`, curlLine(example, origin), language)
  return html`<p class="says">${text(language, says)} <span class="quiet">${text(language, 'response')} ${status}</span></p>${line}`
}
