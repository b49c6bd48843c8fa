import {
  type Config,
  type Html,
  html,
  type Language,
  type Page,
  type PageOf,
} from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import { demonstrations } from './demonstrations/all.ts'
import type { Experiment } from './experiment.ts'
import { runTexts, stepLine } from './experiment-view.ts'
import { type Rule, rules } from './rules.ts'
import { type DemoTextKey, demoText } from './texts.ts'

const SECTIONS = ['1', '2', '3', '4.1', '4.2', '4.3', '5', '6', '7', '8', '9'] as const

type HiddenText = Extract<DemoTextKey, `hidden.${string}`>

/** A rule of the specification with the requests that show it. */
export interface MapRule extends Experiment, Rule {
  /** The reason if a setting of this server hides the rule. */
  hiddenBy?: HiddenText
}

/** Every rule of the specification with the requests that show it. */
export const mapRules: readonly MapRule[] = rules.map((rule) => ({
  ...rule,
  id: `rule-${rule.number}`,
  steps: demonstrations[rule.number] ?? [],
}))

type Settings = Pick<Config, 'rateLimit' | 'deprecatedVersions' | 'jwks'>

// Settings with which the requests of some rules get other headers than they expect.
const HIDING: readonly { rules: readonly string[]; text: HiddenText; applies(settings: Settings): boolean }[] = [
  {
    rules: ['4.3-ratelimit', '8-3'],
    text: 'hidden.limits',
    applies: ({ rateLimit }) => rateLimit === undefined,
  },
  {
    rules: ['9-4'],
    text: 'hidden.deprecated',
    applies: ({ deprecatedVersions }) => deprecatedVersions.size > 0,
  },
  {
    rules: ['5-1', '5-7'],
    text: 'hidden.issuer',
    applies: ({ jwks }) => jwks !== undefined,
  },
]

/** Returns the rules as a server with these settings can show them. */
export function visibleRules(settings: Settings): readonly MapRule[] {
  const hiding = HIDING.filter(({ applies }) => applies(settings))
  return mapRules.map((rule) => {
    const match = hiding.find(({ rules }) => rules.includes(rule.number))
    return match ? { ...rule, steps: [], hiddenBy: match.text } : rule
  })
}

/** Creates the page of the specification: each rule can be run against this server. */
export function createMapPage(visible: readonly MapRule[]): PageOf {
  return ({ language }) => mapPage(visible, language)
}

function mapPage(visible: readonly MapRule[], language: Language): Page {
  const sections = SECTIONS.map(
    (number) =>
      html`<h2>${number} ${demoText(language, `section.${number}`)}</h2><div class="rules">${findRules(visible, number).map((rule) => ruleView(rule, language))}</div>`,
  )
  const main = html`<h1>${demoText(language, 'mapTitle')}</h1>
<p class="lead">${demoText(language, 'mapLead')}</p>
<p class="run" ${runTexts(language)}><button type="button" data-run-all hidden>${demoText(language, 'runAll')}</button> <output id="all-status"></output></p>
<div class="dots" aria-hidden="true">${visible.map(({ id, steps }) => html`<span data-dot="${id}"${steps.length > 0 ? '' : html` data-state="none"`}></span>`)}</div>
<noscript><p class="notice">${demoText(language, 'mapScript')}</p></noscript>
${sections}`
  return { title: demoText(language, 'map'), main, scripts: [scripts.experiment], styles: [style] }
}

function findRules(visible: readonly MapRule[], section: string): readonly MapRule[] {
  return visible.filter(({ number }) => number.slice(0, number.indexOf('-')) === section)
}

function ruleView({ id, number, says, steps, hiddenBy }: MapRule, language: Language): Html {
  const lines = steps.map((step) => html`<li>${stepLine(step, language)}</li>`)
  const label = demoText(language, 'runRule', { rule: number })
  const run =
    steps.length > 0
      ? html`<button type="button" class="plain small" data-run="${id}" aria-label="${label}" hidden>${demoText(language, 'run')}</button> <output></output>`
      : hiddenBy
        ? html`<span class="badge">${demoText(language, hiddenBy)}</span>`
        : ''
  return html`<section class="rule" id="${id}" data-experiment="${id}"><div class="rule-head"><code>${number}</code><span lang="en">${says}</span><span class="run">${run}</span></div><ol>${lines}</ol></section>`
}
