import type { DemoTextKey } from '../texts.ts'

/** The headers in which a client states its preferences. An empty one is not sent. */
export interface PreferenceHeaders {
  accept: string
  'accept-language': string
  'accept-encoding': string
}

/** Headers with weights, and the prefix of the names of their weights in a query. */
export const WEIGHED = [
  { header: 'accept', prefix: 'type' },
  { header: 'accept-language', prefix: 'language' },
  { header: 'accept-encoding', prefix: 'encoding' },
] as const

/** The weight in a query of an offer that the client does not mention. */
export const UNMENTIONED = -0.1

type PresetKey = Extract<DemoTextKey, `preset.${string}`>

/** Clients of many kinds. */
export const PRESETS: readonly (readonly [says: PresetKey, headers: PreferenceHeaders])[] = [
  [
    'preset.browser',
    preferences(
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
      'de-DE,de;q=0.9,en;q=0.8',
      'gzip, deflate, br, zstd',
    ),
  ],
  ['preset.curl', preferences('*/*', '', '')],
  ['preset.hal', preferences('application/hal+json, application/json;q=0.5', 'fr', 'br')],
  ['preset.spreadsheet', preferences('text/csv, text/*;q=0.3', '', 'gzip;q=0.5, identity;q=0')],
  ['preset.nothing', preferences('video/mp4', 'sw', '*;q=0')],
]

function preferences(accept: string, language: string, encoding: string): PreferenceHeaders {
  return { accept, 'accept-language': language, 'accept-encoding': encoding }
}

/**
 * Reads preferences from a query: the weight of each offer (`type:text/html=0.8`), or the headers
 * themselves, of which an omitted one is empty. Without a query they are those of a browser.
 */
export function parsePreferences(query: URLSearchParams): PreferenceHeaders {
  const [browser] = PRESETS
  const headers = query.size === 0 && browser ? { ...browser[1] } : preferences('', '', '')
  for (const { header, prefix } of WEIGHED) {
    const weights = [...query].filter(([name]) => name.startsWith(`${prefix}:`))
    if (weights.length > 0)
      headers[header] = formatWeights(weights.map(([name, q]) => [name.slice(prefix.length + 1), q]))
    else headers[header] = query.get(header) ?? headers[header]
  }
  return headers
}

const TOKEN = /^[\w*!#$%&'+.^`|~/-]{1,60}$/

/**
 * A header with the weight of each offer. An offer below zero is not mentioned, which is not the
 * same as rejected.
 */
function formatWeights(weights: readonly (readonly [offer: string, q: string])[]): string {
  return weights
    .filter(([offer, q]) => TOKEN.test(offer) && !(Number(q) < 0))
    .map(([offer, q]) => {
      const weight = Math.round(Math.min(Number(q) || 0, 1) * 10) / 10
      return weight === 1 ? offer : `${offer};q=${weight}`
    })
    .join(', ')
}
