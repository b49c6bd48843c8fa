import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { rankEncodings, rankLanguages, rankMediaTypes } from '@svc/negotiate/variants'
import { type Html, html } from '../pages/html.ts'
import { breadcrumbs } from '../pages/links.ts'
import { languages } from '../pages/texts.ts'
import type { Page, PageView } from '../pages/view.ts'
import { typesFor } from '../representations/formats.ts'

interface Choice {
  value: string
  q: number
  explicit: boolean
  range: string | undefined
}

const CODINGS = ['br', 'gzip', 'deflate'] as const
const PRESETS: readonly (readonly [name: string, accept: string, language: string, encoding: string])[] = [
  [
    'a browser',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'de-DE,de;q=0.9,en;q=0.8',
    'gzip, deflate, br, zstd',
  ],
  ['curl', '*/*', '', ''],
  ['a HAL client', 'application/hal+json, application/json;q=0.5', 'fr', 'br'],
  ['a spreadsheet', 'text/csv, text/*;q=0.3', '', 'gzip;q=0.5, identity;q=0'],
  ['nobody', 'video/mp4', 'sw', '*;q=0'],
]

/** What is chosen for the fields of a client, and why: every offer with its weight and the range that decided. */
export function negotiationPage({ language, target, origin }: PageView): Page {
  const query = new URL(target, 'http://localhost').searchParams
  const [, accept, languageField, encoding] = PRESETS[0] ?? ['', '', '', '']
  const fields = {
    accept: query.get('accept') ?? accept,
    'accept-language': query.get('accept-language') ?? languageField,
    'accept-encoding': query.get('accept-encoding') ?? encoding,
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const source = { headers: given }
  const types = rankMediaTypes(source, typesFor('page'))
  const tags = rankLanguages(source, languages)
  const codings = rankEncodings(source, CODINGS)
  const isRefused = types[0]?.q === 0 || codings[0]?.q === 0
  const main = html`${breadcrumbs('/play/negotiation', language)}
<h1>Negotiation</h1>
<p class="lead">A client says what it likes, with weights. The service has what it has. This is what meets, and why.</p>
<p class="links-line">As ${PRESETS.map((preset, at) => html`${at ? ', ' : ''}<a href="${presetHref(preset)}">${preset[0]}</a>`)}</p>
<form class="form" method="get" action="/play/negotiation">
${Object.entries(fields).map(([name, value]) => html`<label>${name}<input name="${name}" value="${value}"></label>`)}
<span><button>Choose</button></span></form>
<p class="notice ${isRefused ? 'bad' : 'good'}">${verdict(types, tags, codings)}</p>
<div class="split">${ranking('Format', types)}${ranking('Language', tags)}${ranking('Coding', codings, sizes())}</div>
<h2>The call</h2>
<pre tabindex="0">curl -si -u eve:eve-demo ${Object.entries(given).map(([name, value]) => `-H '${name}: ${value.replaceAll("'", '')}' `)}'${origin}/employees'</pre>`
  return { title: 'Negotiation', main, lang: 'en' }
}

function presetHref([, accept, language, encoding]: (typeof PRESETS)[number]): string {
  const query = new URLSearchParams({ accept, 'accept-language': language, 'accept-encoding': encoding })
  return `/play/negotiation?${query}`
}

function verdict(types: readonly Choice[], tags: readonly Choice[], codings: readonly Choice[]): Html {
  const [type] = types
  const [tag] = tags
  const [coding] = codings
  if (!type || type.q === 0)
    return html`406 Not Acceptable: none of the formats is wanted. The answer lists those that exist.`
  if (!coding || coding.q === 0) return html`406 Not Acceptable: no coding is wanted, and not even none.`
  return html`200, <strong>${type.value}</strong>, language <strong>${tag?.value ?? 'en'}</strong>, coding <strong>${coding.value}</strong>. Vary: Accept, Accept-Language, Accept-Encoding`
}

function ranking(title: string, choices: readonly Choice[], bytes?: Readonly<Record<string, number>>): Html {
  const rows = choices.map(({ value, q, range, explicit }, at) => {
    const chosen = at === 0 && q > 0 ? html` <span class="badge good">chosen</span>` : ''
    const why = range === undefined ? 'nothing speaks of it' : explicit ? range : `${range} (a wildcard)`
    const size = bytes ? html`<td class="number">${bytes[value] ?? ''}</td>` : ''
    return html`<tr><td>${value}${chosen}</td><td class="number">${q}</td><td><code>${why}</code></td>${size}</tr>`
  })
  const head = bytes ? html`<th scope="col" class="number">bytes</th>` : ''
  return html`<section><h2>${title}</h2><div class="wide" tabindex="0"><table><thead><tr><th scope="col">offer</th><th scope="col" class="number">q</th><th scope="col">because of</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>`
}

const SAMPLE = Buffer.from(
  JSON.stringify({
    items: Array.from({ length: 100 }, (_, id) => ({ id, name: `Employee ${id}`, department: 'Sales' })),
  }),
)

/** What the same document takes in each coding. */
function sizes(): Record<string, number> {
  return {
    identity: SAMPLE.length,
    br: brotliCompressSync(SAMPLE).length,
    gzip: gzipSync(SAMPLE).length,
    deflate: deflateSync(SAMPLE).length,
  }
}
