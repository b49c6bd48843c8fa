import { demoPassword } from '../database/seed/demo-users.ts'
import { type Content, type Html, html } from '../pages/html.ts'
import type { Experiment, Step } from './experiment.ts'

/** An experiment: its steps as they stand, a button that runs them, and room for what happens. */
export function experimentView({ id, title, says, steps }: Experiment, origin: string): Html {
  const lines = steps.map(
    (step) =>
      html`<li>${stepLine(step)}<details><summary>curl</summary><pre tabindex="0">${curlOf(step, origin)}</pre></details></li>`,
  )
  return html`<section class="experiment" id="${id}" data-experiment="${id}"><h2>${title}</h2><p>${says}</p>
<ol>${lines}</ol><p class="run"><button type="button" data-run="${id}" hidden>Run</button> <output></output></p></section>`
}

/** One step in a line: what is sent, and what comes back. */
export function stepLine({ says, method = 'GET', path, as, times, expect }: Step): Html {
  const who = as === undefined ? '' : html` <span class="quiet">as ${as}</span>`
  const often = times === undefined ? '' : html` <span class="quiet">${times} times at once</span>`
  return html`<code>${method} ${path}</code>${who}${often} <span class="badge">${statusText(expect.status)}</span>${says ? html` <span class="quiet">${says}</span>` : ''}`
}

function statusText(status: Step['expect']['status']): Content {
  if (typeof status === 'number') return status === 0 ? 'no answer' : status
  if (Array.isArray(status)) return status.join(' or ')
  return Object.entries(status)
    .map(([code, count]) => `${count} × ${code}`)
    .join(', ')
}

function curlOf({ method = 'GET', path, as, headers = {}, json, body }: Step, origin: string): string {
  const content = body ?? (json === undefined ? undefined : JSON.stringify(json))
  const fields = { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers }
  return [
    `curl -si${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`}`,
    ...(as === undefined ? [] : [`-u ${as}:${demoPassword(as)}`]),
    ...Object.entries(fields).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(content === undefined ? [] : [`--data-binary ${quoted(content)}`]),
    quoted(origin + path),
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
