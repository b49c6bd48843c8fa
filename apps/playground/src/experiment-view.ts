import {
  type Content,
  demoPassword,
  formatCurl,
  type Html,
  type HttpCall,
  html,
  type Language,
  methodTag,
} from '../../reference-server/src/index.ts'
import type { PlayExperiment, Step } from './experiment.ts'
import { demoText } from './texts.ts'

/** An experiment: its steps, a button that runs them, and room for the responses. */
export function experimentView({ id, steps }: PlayExperiment, baseUrl: string, language: Language): Html {
  const lines = steps.map(
    (step) =>
      html`<li>${stepLine(step, language)}<details><summary>curl</summary><pre tabindex="0">${formatCurl(toCall(step, baseUrl))}</pre></details></li>`,
  )
  const title = demoText(language, `${id}.title`)
  return html`<section class="experiment" id="${id}" data-experiment="${id}"><h2>${title}</h2><p>${demoText(language, `${id}.says`)}</p>
<ol>${lines}</ol><p class="run"><button type="button" data-run="${id}" aria-label="${demoText(language, 'runRule', { rule: title })}" hidden>${demoText(language, 'run')}</button> <output></output></p></section>`
}

const RUN_WORDS = [
  'asItMustBe',
  'notAsItMustBe',
  'progress',
  'noAnswer',
  'followed',
  'executed',
  'replayed',
  'refused',
  'waited',
  'lane',
  'wrongStatus',
  'wrongCount',
  'wrongHeader',
  'missingHeader',
  'wrongBody',
] as const

/** The words of the script that runs experiments, as attributes of an element. */
export function runTexts(language: Language): Html {
  const attributes = RUN_WORDS.map((key) => html` data-${key.toLowerCase()}="${demoText(language, key)}"`)
  return html`id="run-texts"${attributes}`
}

/** One step in a line: what is sent, and what comes back. */
export function stepLine(step: Step, language: Language): Html {
  const { says, method = 'GET', path, as, times, waitSeconds, expect } = step
  const notes = [
    as && demoText(language, 'as', { user: as }),
    times && demoText(language, 'atOnce', { count: times }),
    waitSeconds && demoText(language, 'later', { seconds: waitSeconds }),
  ].filter(Boolean)
  return html`${methodTag(method)} <code>${path}</code> ${stepDetails(step)}${notes.length ? html`<span class="quiet">${notes.join(', ')}</span> ` : ''}<span class="badge">${statusText(expect.status, language)}</span>${says ? html` <span class="quiet">${demoText(language, says)}</span>` : ''}`
}

// Headers, and a body if it is short, distinguish steps.
function stepDetails({ headers = {}, json, body }: Step): Content {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const content = json === undefined ? body : JSON.stringify(json)
  const parts = content !== undefined && content.length <= 80 ? [...fields, content] : fields
  return parts.map((part) => html`<code class="quiet part">${part}</code> `)
}

function statusText(status: Step['expect']['status'], language: Language): Content {
  if (typeof status === 'number') return status === 0 ? demoText(language, 'noAnswer') : status
  if (Array.isArray(status)) return status.join(` ${demoText(language, 'or')} `)
  return Object.entries(status)
    .map(([code, count]) => `${count} × ${code}`)
    .join(', ')
}

function toCall({ method = 'GET', path, as, headers = {}, json, body }: Step, baseUrl: string): HttpCall {
  const content = body ?? (json === undefined ? undefined : JSON.stringify(json))
  const fields = { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers }
  const user = as === undefined ? undefined : `${as}:${demoPassword(as)}`
  return { method, url: baseUrl + path, user, fields, body: content }
}
