import { scripts } from '../pages/assets.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page, PageView } from '../pages/view.ts'
import { demonstrations } from './demonstrations/all.ts'
import type { Experiment } from './experiment.ts'
import { stepLine } from './experiment-view.ts'
import { rules } from './rules.ts'

const SECTIONS: Readonly<Record<string, string>> = {
  1: 'What the service does',
  2: 'Resources and their fields',
  3: 'States',
  4.1: 'Resource API',
  4.2: 'SOAP endpoint',
  4.3: 'Headers and negotiation',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
}

/** Every rule of the specification with the requests that show it. */
export const mapRules: readonly Experiment[] = rules.map(({ number, says }) => ({
  ...{ id: `rule-${number}`, title: number, says, steps: demonstrations[number] ?? [] },
}))

/** The specification, alive: each rule can be run against this server. */
export function mapPage(_view: PageView): Page {
  const sections = Object.entries(SECTIONS).sort(([a], [b]) => Number(a) - Number(b))
  const main = html`<h1>The specification, alive</h1>
<p class="lead">Each rule with the requests that show it. Run one, or all of them, against this server.</p>
<p class="run"><button type="button" data-run-all hidden>Run all</button> <output id="all-status"></output></p>
<noscript><p class="notice">The requests run with JavaScript on.</p></noscript>
${sections.map(([number, title]) => html`<h2>${number} ${title}</h2>${ofSection(number).map(ruleView)}`)}`
  return { title: 'Specification', main, lang: 'en', scripts: [scripts.experiment] }
}

function ofSection(number: string): Experiment[] {
  return mapRules.filter(({ title }) => title.slice(0, title.indexOf('-')) === number)
}

function ruleView({ id, title, says, steps }: Experiment): Html {
  const lines = steps.map((step) => html`<li>${stepLine(step)}</li>`)
  const run =
    steps.length > 0
      ? html`<button type="button" class="plain small" data-run="${id}" aria-label="Run ${title}" hidden>Run</button> <output></output>`
      : ''
  return html`<section class="rule" id="${id}" data-experiment="${id}"><div class="rule-head"><code>${title}</code><span>${says}</span><span class="run">${run}</span></div><ol>${lines}</ol></section>`
}
