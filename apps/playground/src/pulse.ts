import { type Html, html, type Language, numberIn, toTone } from '../../reference-server/src/index.ts'
import type { Exchanges } from './exchanges.ts'
import { demoText } from './texts.ts'

/**
 * Path that returns only the pulse, for the script that refreshes it. It is below that of the log,
 * which skips it.
 */
export const PULSE_PATH = '/_demo/requests/pulse'

const [SLOTS, STEP, HEIGHT] = [60, 10, 72]

/**
 * The numbers of the server now, and a bar for each of the last requests. A script keeps them
 * current.
 */
export function pulseView(exchanges: Exchanges, language: Language): Html {
  const { count, medianMs, rejected } = exchanges.summary()
  const minutes = Math.floor(process.uptime() / 60)
  const figures = [
    [demoText(language, 'figure.count'), numberIn(language, count)],
    [demoText(language, 'figure.median'), `${numberIn(language, medianMs)} ms`],
    [demoText(language, 'figure.rejected'), numberIn(language, rejected)],
    [demoText(language, 'figure.uptime'), `${numberIn(language, minutes)} min`],
  ].map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)
  return html`<section class="card pulse" id="pulse" data-source="${PULSE_PATH}"><h2>${demoText(language, 'pulse.title')}</h2>
<dl class="figures">${figures}</dl>
${bars(exchanges, language)}
<p class="quiet">${demoText(language, 'pulse.bars', { count: SLOTS })} <a href="/_demo/requests">${demoText(language, 'requests')}</a></p></section>`
}

function bars(exchanges: Exchanges, language: Language): Html {
  const recent = exchanges.latest(SLOTS)
  const offset = SLOTS - recent.length
  const rows = recent.map(({ status, ms }, index) => {
    const height = toHeight(ms)
    return html`<rect class="${toTone(status)}" x="${(offset + index) * STEP + 1}" y="${HEIGHT - height}" width="${STEP - 3}" height="${height}" rx="2"/>`
  })
  const width = SLOTS * STEP
  return html`<svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${demoText(language, 'pulse.bars', { count: SLOTS })}"><path d="M0 ${HEIGHT - 0.5}H${width}"/>${rows}</svg>`
}

// A logarithmic scale: 0.1 ms is a sliver, 1 s and more the whole height.
function toHeight(ms: number): number {
  const share = Math.log10(Math.max(ms, 0.1) * 10) / 4
  return Math.round(4 + Math.min(share, 1) * (HEIGHT - 4))
}
