import {
  breadcrumbs,
  command,
  formatCurl,
  type Html,
  html,
  type Language,
  numberIn,
  type Page,
  type PageView,
} from '../../../reference-server/src/index.ts'
import { scripts, style } from '../assets.ts'
import { demoText } from '../texts.ts'
import { bytesIn, type Choice, type Rankings, rankingsOf } from './rankings.ts'
import { PRESETS, WEIGHED, type Wishes, wishesOf } from './wishes.ts'

const PATH = '/play/negotiation'

/** What is chosen for the fields of a client, and why: every offer with its weight and the range that decided. */
export function negotiationPage({ language, target, origin }: PageView): Page {
  const wishes = wishesOf(new URL(target, 'http://localhost').searchParams)
  const rankings = rankingsOf(wishes)
  const title = demoText(language, 'negotiation.title')
  const presets = PRESETS.map(
    ([says, wished]) =>
      html`<li><a href="${PATH}?${String(new URLSearchParams({ ...wished }))}">${demoText(language, says)}</a></li>`,
  )
  const main = html`${breadcrumbs(PATH, language)}
<h1>${title}</h1>
<p class="lead">${demoText(language, 'negotiation.lead')}</p>
<p id="presets">${demoText(language, 'askAs')}</p>
<ul class="links" aria-labelledby="presets">${presets}</ul>
${weightsForm(rankings, language)}
${fieldsForm(wishes, language)}
<div id="outcome" aria-live="polite">${outcome(rankings, wishes, origin, language)}</div>`
  return { title, main, scripts: [scripts.negotiation], styles: [style] }
}

function weightsForm({ types, languages, codings }: Rankings, language: Language): Html {
  const groups = [types, languages, codings].map((choices, at) => {
    const { field = '', prefix = '' } = WEIGHED[at] ?? {}
    const sliders = [...choices]
      .sort((a, b) => a.value.localeCompare(b.value))
      .map(({ value, q, range }) => slider(`${prefix}:${value}`, value, Math.round(q * 10) / 10, range === undefined))
    return html`<fieldset><legend>${field}</legend>${sliders}</fieldset>`
  })
  return html`<h2>${demoText(language, 'weights')}</h2>
<form class="weights" id="weights" method="get" action="${PATH}">${groups}<span><button>${demoText(language, 'weigh')}</button></span></form>`
}

// A weight that nothing speaks of is not sent until it is moved: not mentioned is not rejected.
function slider(name: string, label: string, q: number, isImplicit: boolean): Html {
  const implicit = isImplicit ? html` data-implicit` : ''
  return html`<label class="slider"><span>${label}</span><input type="range"${implicit} name="${name}" min="0" max="1" step="0.1" value="${q}"><output>${isImplicit ? '–' : q}</output></label>`
}

function fieldsForm(wishes: Wishes, language: Language): Html {
  const inputs = Object.entries(wishes).map(
    ([name, value]) => html`<label>${name}<input name="${name}" value="${value}"></label>`,
  )
  return html`<h2>${demoText(language, 'byHand')}</h2>
<form class="form" id="fields" method="get" action="${PATH}"><input type="hidden" name="by" value="hand">${inputs}<span><button class="plain">${demoText(language, 'choose')}</button></span></form>`
}

function outcome(rankings: Rankings, wishes: Wishes, origin: string, language: Language): Html {
  const { types, languages, codings } = rankings
  const fields = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== ''))
  const call = formatCurl({ url: `${origin}/employees`, user: 'eve:eve-demo', fields })
  const tables = [
    ranking(demoText(language, 'format'), types, language),
    ranking(demoText(language, 'language'), languages, language),
    ranking(demoText(language, 'coding'), codings, language, bytesIn),
  ]
  return html`${verdict(rankings, language)}
<div class="split">${tables}</div>
<h2>${demoText(language, 'theCall')}</h2>
${command('call', call, language)}`
}

function verdict({ types: [type], languages: [tag], codings: [coding] }: Rankings, language: Language): Html {
  if (!type || type.q === 0) return refusal(demoText(language, 'noFormat'))
  if (!coding || coding.q === 0) return refusal(demoText(language, 'noCoding'))
  const chosen = { type: type.value, language: tag?.value ?? 'en', coding: coding.value }
  return html`<p class="notice good"><span class="badge good">200</span> ${demoText(language, 'negotiated', chosen)}<br><code>Vary: Accept, Accept-Language, Accept-Encoding</code></p>`
}

function refusal(says: string): Html {
  return html`<p class="notice bad"><span class="badge bad">406</span> ${says}</p>`
}

function ranking(
  title: string,
  choices: readonly Choice[],
  language: Language,
  bytesOf?: (value: string) => number,
): Html {
  const rows = choices.map((choice, at) => {
    const { value, q } = choice
    const chosen = at === 0 && q > 0 ? html` <span class="badge good">${demoText(language, 'chosen')}</span>` : ''
    const size = bytesOf ? html`<td class="number">${numberIn(language, bytesOf(value))}</td>` : ''
    return html`<tr><td>${value}${chosen}</td><td class="number">${q}</td><td>${reason(choice, language)}</td>${size}</tr>`
  })
  const head = bytesOf ? html`<th scope="col" class="number">${demoText(language, 'bytes')}</th>` : ''
  return html`<section><h2>${title}</h2><div class="wide" tabindex="0"><table><thead><tr><th scope="col">${demoText(language, 'offer')}</th><th scope="col" class="number">q</th><th scope="col">${demoText(language, 'because')}</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>`
}

function reason({ range, explicit }: Choice, language: Language): Html {
  if (range === undefined) return html`<span class="quiet">${demoText(language, 'unspoken')}</span>`
  return html`<code>${explicit ? range : demoText(language, 'wildcard', { range })}</code>`
}
