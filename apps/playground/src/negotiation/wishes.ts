import type { DemoTextKey } from '../texts.ts'

/** What a client says it likes, as the fields of its request; `''`: it does not say. */
export interface Wishes {
  accept: string
  'accept-language': string
  'accept-encoding': string
}

/** Fields that are weighed, and what the names of their weights begin with. */
export const WEIGHED = [
  { field: 'accept', prefix: 'type' },
  { field: 'accept-language', prefix: 'language' },
  { field: 'accept-encoding', prefix: 'coding' },
] as const

/** Clients of many kinds. */
export const PRESETS: readonly (readonly [says: Extract<DemoTextKey, `preset.${string}`>, wishes: Wishes])[] = [
  [
    'preset.browser',
    wishes(
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
      'de-DE,de;q=0.9,en;q=0.8',
      'gzip, deflate, br, zstd',
    ),
  ],
  ['preset.curl', wishes('*/*', '', '')],
  ['preset.hal', wishes('application/hal+json, application/json;q=0.5', 'fr', 'br')],
  ['preset.spreadsheet', wishes('text/csv, text/*;q=0.3', '', 'gzip;q=0.5, identity;q=0')],
  ['preset.nobody', wishes('video/mp4', 'sw', '*;q=0')],
]

function wishes(accept: string, language: string, encoding: string): Wishes {
  return { accept, 'accept-language': language, 'accept-encoding': encoding }
}

/**
 * What a query wishes: by the weight of each offer (`type:text/html=0.8`), or by the fields themselves, those that are
 * left out being empty. Without a query it is what a browser wishes.
 */
export function wishesOf(query: URLSearchParams): Wishes {
  const [browser] = PRESETS
  const wished = query.size === 0 && browser ? { ...browser[1] } : wishes('', '', '')
  for (const { field, prefix } of WEIGHED) {
    const weights = [...query].filter(([name]) => name.startsWith(`${prefix}:`))
    if (weights.length > 0) wished[field] = fieldOf(weights.map(([name, q]) => [name.slice(prefix.length + 1), q]))
    else wished[field] = query.get(field) ?? wished[field]
  }
  return wished
}

const TOKEN = /^[\w*!#$%&'+.^`|~/-]{1,60}$/

/** The value of a field that gives each offer its weight. */
function fieldOf(weights: readonly (readonly [offer: string, q: string])[]): string {
  return weights
    .filter(([offer]) => TOKEN.test(offer))
    .map(([offer, q]) => {
      const weight = Math.round(Math.min(Math.max(Number(q) || 0, 0), 1) * 10) / 10
      return weight === 1 ? offer : `${offer};q=${weight}`
    })
    .join(', ')
}
