import {
  breadcrumbs,
  type Html,
  html,
  type Language,
  numberIn,
  type Page,
  type PageView,
} from '../../../reference-server/src/index.ts'
import { scripts, style } from '../assets.ts'
import { demoText } from '../texts.ts'
import { outcome, verdict } from './outcome.ts'
import { PRESETS, type PreferenceHeaders, parsePreferences, UNMENTIONED, WEIGHED } from './preferences.ts'
import { type Choice, measureEncoding, type Rankings, rankOffers } from './rankings.ts'

const PATH = '/play/negotiation'

/**
 * The response that a client's headers lead to, and why: every offer with its weight and the range
 * that decided.
 */
export function negotiationPage(view: PageView): Page {
  const { language, target, baseUrl } = view
  const preferences = parsePreferences(new URL(target, 'http://localhost').searchParams)
  const rankings = rankOffers(preferences)
  const title = demoText(language, 'negotiation.title')
  const presets = PRESETS.map(([says, headers]) => {
    const isCurrent = WEIGHED.every(({ header }) => headers[header] === preferences[header])
    const current = isCurrent ? html` aria-current="true"` : ''
    return html`<li><a href="${PATH}?${String(new URLSearchParams({ ...headers }))}"${current}>${demoText(language, says)}</a></li>`
  })
  const main = html`${breadcrumbs(view, PATH)}
<h1>${title}</h1>
<p class="lead">${demoText(language, 'negotiation.lead')}</p>
<p class="label" id="presets">${demoText(language, 'askAs')}</p>
<ul class="links" aria-labelledby="presets">${presets}</ul>
<div class="bench negotiation"><div>${weightsForm(rankings, language)}
${headersForm(preferences, language)}</div>
<div class="stack">${verdict(rankings, language)}<div class="stack" id="outcome">${outcome(rankings, preferences, baseUrl, language)}</div></div></div>
<div class="split" id="reasons">${reasons(rankings, language)}</div>`
  return { title, main, scripts: [scripts.negotiation], styles: [style] }
}

function weightsForm({ types, languages, encodings }: Rankings, language: Language): Html {
  const groups = [types, languages, encodings].map((choices, index) => {
    const { header = '', prefix = '' } = WEIGHED[index] ?? {}
    const sliders = [...choices]
      .sort((a, b) => a.value.localeCompare(b.value))
      .map((choice) => slider(`${prefix}:${choice.value}`, choice, language))
    return html`<fieldset><legend>${header}</legend>${sliders}</fieldset>`
  })
  return html`<h2>${demoText(language, 'weights')}</h2>
<p class="quiet">${demoText(language, 'weightsHelp')}</p>
<form class="weights" id="weights" method="get" action="${PATH}" data-unmentioned="${demoText(language, 'unspoken')}" data-unanswered="${demoText(language, 'noAnswer')}">${groups}<span><button>${demoText(language, 'weigh')}</button></span></form>`
}

// The position left of 0 is for an offer that is not mentioned: that is not the same as rejected.
function slider(name: string, { value, q, range }: Choice, language: Language): Html {
  const isMentioned = range !== undefined
  const weight = isMentioned ? Math.round(q * 10) / 10 : UNMENTIONED
  const spoken = isMentioned ? '' : html` aria-valuetext="${demoText(language, 'unspoken')}"`
  return html`<label class="slider"><span>${value}</span><input type="range" name="${name}" min="${UNMENTIONED}" max="1" step="0.1" value="${weight}"${spoken}><output>${isMentioned ? weight : '–'}</output></label>`
}

function headersForm(preferences: PreferenceHeaders, language: Language): Html {
  const inputs = Object.entries(preferences).map(
    ([name, value]) => html`<label>${name}<input name="${name}" value="${value}"></label>`,
  )
  return html`<h2>${demoText(language, 'byHand')}</h2>
<form class="form" id="fields" method="get" action="${PATH}"><input type="hidden" name="by" value="hand">${inputs}<span><button class="plain">${demoText(language, 'choose')}</button></span></form>`
}

function reasons({ types, languages, encodings }: Rankings, language: Language): readonly Html[] {
  return [
    ranking(demoText(language, 'format'), types, language),
    ranking(demoText(language, 'language'), languages, language),
    ranking(demoText(language, 'encoding'), encodings, language, measureEncoding),
  ]
}

function ranking(
  title: string,
  choices: readonly Choice[],
  language: Language,
  measure?: (value: string) => number,
): Html {
  const rows = choices.map((choice, index) => {
    const { value, q } = choice
    const chosen = index === 0 && q > 0 ? html` <span class="badge good">${demoText(language, 'chosen')}</span>` : ''
    const size = measure ? html`<td class="number">${numberIn(language, measure(value))}</td>` : ''
    return html`<tr><td>${value}${chosen}</td><td class="number">${q}</td><td>${reason(choice, language)}</td>${size}</tr>`
  })
  const head = measure ? html`<th scope="col" class="number">${demoText(language, 'bytes')}</th>` : ''
  return html`<section><h2>${title}</h2><div class="wide" tabindex="0"><table><thead><tr><th scope="col">${demoText(language, 'offer')}</th><th scope="col" class="number">q</th><th scope="col">${demoText(language, 'because')}</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>`
}

function reason({ range, explicit }: Choice, language: Language): Html {
  if (range === undefined) return html`<span class="quiet">${demoText(language, 'unspoken')}</span>`
  return html`<code>${explicit ? range : demoText(language, 'wildcard', { range })}</code>`
}
