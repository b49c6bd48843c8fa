import { demoPassword } from '../../domain/seed/demo-users.ts'
import { curlLine, type Example, examples } from './examples.ts'
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

/** The first page: what this server is, what it does now, and links to each part of it in action. */
export function overviewPage(view: PageView, { isReady, collections }: OverviewFacts): Page {
  const { site, language } = view
  const links = Object.entries(collections).map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)
  const pulses = site.additions.flatMap(({ pulse }) => pulse?.(language) ?? [])
  const main = html`<div class="hero"><div>${opening(view, isReady)}</div>${pulses.map(({ content }) => content)}</div>
<h2>${text(language, 'requestFlow')}</h2>
<p>${text(language, 'requestFlowLead')}</p>
${requestFlow(language)}
<h2>${text(language, 'packagesAtWork')}</h2>
${packageCards(view)}
<h2>${text(language, 'resources')}</h2>
<ul class="links">${links}</ul>
${site.users.length > 0 ? usersAndLines(view) : ''}
${exchange(view)}`
  const scripts = pulses.map(({ script }) => script)
  return { title: text(language, 'overview'), main, scripts, styles: pulses.map(({ style }) => style) }
}

function opening(view: PageView, isReady: boolean): Html {
  const { site, language } = view
  const [place] = site.additions.flatMap(({ navigation = [] }) => navigation)
  const play = place ? html`<a class="button" href="${place.href}">${place.label(language)}</a>` : ''
  const kind = isReady ? 'good' : 'bad'
  return html`<h1>${text(language, 'overviewTitle')}</h1>
<p class="lead">${text(language, 'overviewLead')}</p>
<p class="actions">${play}<a class="button${place ? ' plain' : ''}" href="/docs">${text(language, 'operations')}</a></p>
${firstUser(view)}
<p><a href="/health">${text(language, 'health')}</a> <span class="badge ${kind}">${isReady ? 'pass' : 'fail'}</span></p>`
}

function firstUser({ language, site }: PageView): Content {
  const [user] = site.users
  if (!user) return ''
  const values = { user: user.username, password: demoPassword(user.username) }
  return html`<p>${text(language, 'overviewUser', values)}</p>`
}

function usersAndLines(view: PageView): Content {
  const { language, site } = view
  return html`<div class="bench"><section><h2>${text(language, 'users')}</h2>
<p>${text(language, 'usersLead')}</p>
${userTable(site.users, language)}</section>
<section><h2>${text(language, 'commandLine')}</h2>
${examples.map((example, index) => curl(view, example, index))}</section></div>`
}

function curl({ origin, language }: PageView, example: Example, index: number): Html {
  const { says, status } = example
  const line = command(`example-${index}`, curlLine(example, origin), language)
  return html`<p class="says">${text(language, says)} <span class="badge">${status}</span></p>${line}`
}
