import { curlLine, examples } from '../start/examples.ts'
import { userTable } from './error.ts'
import { command, formatMenu } from './exchange.ts'
import { type Content, type Html, html } from './html.ts'
import { packageCards } from './package-cards.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

export interface OverviewFacts {
  isReady: boolean
  /** Paths of the collections by their name. */
  collections: Readonly<Record<string, string>>
}

/** The first page: what this is, and where each part of it can be seen at work. */
export function overviewPage(view: PageView, { isReady, collections }: OverviewFacts): Page {
  const { site } = view
  const links = Object.entries(collections).map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)
  const state = isReady ? html`<span class="badge good">pass</span>` : html`<span class="badge bad">fail</span>`
  const main = html`<h1>A whole service, made of seven small packages</h1>
<p class="lead">Resources in HTML, JSON, HAL, XML, CSV and plain text, chosen by what a client accepts; SOAP beside them; one rule book for errors, versions, limits and retries. Everything on these pages is live.</p>
<p><a href="/health">Health</a> ${state}</p>
<h2>The packages at work</h2>
${packageCards(site.isDemo)}
<h2>Resources</h2>
<ul class="links">${links}</ul>
${site.isDemo ? users(view) : ''}
${formatMenu(view)}`
  return { title: 'Overview', main, lang: 'en' }
}

function users(view: PageView): Content {
  return html`<h2>Users</h2>
<p>Follow a link and log in as one of them; on a command line each is a <code>-u name:password</code>.</p>
${userTable(view.language)}
<h2>On a command line</h2>
${examples.map((example, at) => curl(view, example, at))}`
}

function curl({ origin, language }: PageView, example: (typeof examples)[number], at: number): Html {
  const { says, status } = example
  const line = command(`example-${at}`, curlLine(example, origin), language)
  return html`<p class="says">${says.charAt(0).toUpperCase() + says.slice(1)} <span class="quiet">${text(language, 'response')} ${status}</span></p>${line}`
}
