import { demoPassword } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'
import { command, curlLine, examples, exchange } from './exchange.ts'
import { userTable } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { SOAP_LINKS } from './soap.ts'
import { type TextKey, text } from './texts.ts'
import { type Page, type PageView, type SiteLink, siteLink } from './view.ts'

export interface OverviewFacts {
  isReady: boolean
  /** Paths of the collections by their name. */
  collections: Readonly<Record<string, string>>
}

/** The first page: what this server is and does now, and links to each part in action. */
export function overviewPage(view: PageView, { isReady, collections }: OverviewFacts): Page {
  const { site, language } = view
  // Visitors without a user see all of them: the link asks for one.
  const links = Object.entries(collections)
    .filter(([, path]) => view.user === undefined || view.canFollow(path))
    .map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)
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

function opening({ site, language }: PageView, isReady: boolean): Html {
  const [place] = site.additions.flatMap(({ navigation = [] }) => navigation)
  const play = place ? html`<a class="button" href="${place.href}">${place.label(language)}</a>` : ''
  const [user] = site.users
  const values = user && { user: user.username, password: demoPassword(user.username) }
  const [kind, health] = isReady ? ['good', 'pass'] : ['bad', 'fail']
  return html`<h1>${text(language, 'overviewTitle')}</h1>
<p class="lead">${text(language, 'overviewLead')}</p>
<p class="actions">${play}<a class="button${place ? ' plain' : ''}" href="/docs">${text(language, 'operations')}</a></p>
${values && html`<p>${text(language, 'overviewUser', values)}</p>`}
<p><a href="/health">${text(language, 'health')}</a> <span class="badge ${kind}">${health}</span></p>`
}

function usersAndLines({ language, site, baseUrl }: PageView): Html {
  const available = examples.filter(({ path }) => site.findMethods(path).length > 0)
  const lines = available.map((example, index) => {
    const line = command(`example-${index}`, curlLine(example, baseUrl), language)
    return html`<p class="says">${text(language, example.says)} <span class="badge">${example.status}</span></p>${line}`
  })
  return html`<div class="bench"><section><h2>${text(language, 'users')}</h2>
<p>${text(language, 'usersLead')}</p>
${userTable(site.users, language)}</section>
<section><h2>${text(language, 'commandLine')}</h2>
${lines}</section></div>`
}

type PackageName = TextKey extends infer K ? (K extends `package.${infer N}` ? N : never) : never

/** Packages with links to examples of them. */
const cards: readonly (readonly [name: PackageName, ...places: SiteLink[]])[] = [
  ['errors'],
  ['negotiate', siteLink('/employees/1', 'seeFormats')],
  ['hal', siteLink('/orders/3', 'seeOrder'), siteLink('/employees?size=5', 'seePages')],
  ['versioning', siteLink('/v2/employees/1', 'seeVersion')],
  ['ratelimit'],
  ['idempotency'],
  ['soap-envelope', ...SOAP_LINKS],
]

/** Renders a card for each package, with links to examples. */
function packageCards({ language, site }: PageView): Html {
  const items = cards.map(([name, ...places]) => {
    const added = site.additions.flatMap(({ showcases }) => showcases?.[name] ?? [])
    const links = [...added, ...places].map(({ href, label }) => html`<a href="${href}">${label(language)}</a>`)
    const go = links.length > 0 ? html`<p class="go">${links}</p>` : ''
    return html`<li class="card"><h3><span>@svc/</span>${name}</h3><p>${text(language, `package.${name}`)}</p>${go}</li>`
  })
  return html`<ul class="cards">${items}</ul>`
}

/** A stage of a request: a package, or a step of the service between packages. */
interface FlowStage {
  package?: string
  says: Extract<TextKey, `flow.${string}`>
  /** Statuses that a request can end with here. */
  ends?: string
}

/** The stages of a request in the order of app.ts; a test compares the two. */
export const FLOW: readonly FlowStage[] = [
  { package: 'versioning', says: 'flow.version', ends: '400 404 410' },
  { package: 'ratelimit', says: 'flow.address', ends: '429' },
  { says: 'flow.user', ends: '401 403' },
  { package: 'ratelimit', says: 'flow.limit', ends: '429' },
  { package: 'negotiate', says: 'flow.format', ends: '406 415' },
  { package: 'idempotency', says: 'flow.retry', ends: '409 422' },
  { package: 'hal', says: 'flow.links' },
]

const [WIDTH, HEIGHT, GAP, LEFT, TOP] = [134, 62, 20, 8, 74]
const STEP = WIDTH + GAP
const END = LEFT + FLOW.length * STEP - GAP

/** Draws the flow of a request through the seven packages. */
function requestFlow(language: Language): Html {
  const stages = FLOW.map((stage, index) => stageBox(stage, LEFT + index * STEP, language))
  const arrows = FLOW.slice(1).map((_, index) => arrow(LEFT + index * STEP + WIDTH, TOP + HEIGHT / 2, GAP))
  const errors = TOP + HEIGHT + 46
  const soapX = LEFT + STEP
  return html`<div class="wide flow-frame" tabindex="0"><svg class="flow" viewBox="0 0 ${END + LEFT} ${errors + 52}" role="img" aria-label="${describe(language)}">
<text class="way" x="${LEFT}" y="22">GET /employees/1</text><path class="line" d="M${LEFT + 60} 30V${TOP - 6}"/><path class="head" d="M${LEFT + 56} ${TOP - 9}l4 7 4-7z"/>
<text class="way" x="${soapX}" y="22">POST /ws/customer</text><path class="line" d="M${soapX + 128} 18H${soapX + 148}"/><path class="head" d="M${soapX + 146} 14l7 4-7 4z"/>
<g><rect x="${soapX + STEP}" y="1" width="${WIDTH}" height="34" rx="7"/><text class="name" x="${soapX + STEP + 10}" y="23">soap-envelope</text></g>
<text class="way" x="${END}" y="22" text-anchor="end">200 OK</text><path class="line" d="M${END - 24} ${TOP}V36"/><path class="head" d="M${END - 28} 38l4-7 4 7z"/>
${arrows}${stages}
<g><rect class="errors" x="${LEFT}" y="${errors}" width="${END - LEFT}" height="44" rx="7"/><text class="name" x="${LEFT + 12}" y="${errors + 27}">errors</text><text class="says" x="${LEFT + 76}" y="${errors + 27}">${text(language, 'flow.errors')}</text></g>
</svg></div>`
}

function stageBox({ package: name, says, ends }: FlowStage, x: number, language: Language): Html {
  const kind = name === undefined ? html` class="own"` : ''
  const below = TOP + HEIGHT
  const exit: Content =
    ends &&
    html`<path class="line bad" d="M${x + WIDTH / 2} ${below}v36"/><path class="head bad" d="M${x + WIDTH / 2 - 4} ${below + 36}l4 8 4-8z"/><text class="ends" x="${x + WIDTH / 2 + 8}" y="${below + 26}">${ends}</text>`
  const title = name === undefined ? '' : html`<text class="name" x="${x + 10}" y="${TOP + 26}">${name}</text>`
  return html`<g><rect${kind} x="${x}" y="${TOP}" width="${WIDTH}" height="${HEIGHT}" rx="7"/>${title}<text class="says" x="${x + 10}" y="${TOP + (name === undefined ? 36 : 46)}">${text(language, says)}</text>${exit}</g>`
}

function arrow(x: number, y: number, length: number): Html {
  return html`<path class="line" d="M${x} ${y}h${length - 6}"/><path class="head" d="M${x + length - 8} ${y - 4}l8 4-8 4z"/>`
}

function describe(language: Language): string {
  const stages = FLOW.map(({ package: name, says }) => `${name ? `${name}: ` : ''}${text(language, says)}`)
  return `${stages.join(' → ')}. errors: ${text(language, 'flow.errors')}`
}
