import { readFileSync } from 'node:fs'
import { type ConditionalHeaders, encoding, language, mediaType, offers } from '@svc/negotiate'
import { evaluatePreconditions, type PreconditionResult } from '@svc/negotiate/etags'
import { describe, expect, test } from 'vitest'
import { matchesExtendedLanguageRange, matchesLanguageRange } from './language-range.ts'
import { compileMediaTypes } from './media-types.ts'

interface Vectors {
  mediaQ: [accept: string, offer: string, q: number][]
  select: { offers: string[]; rows: [string | null, string | null][] }
  encoding: { offers: string[]; rows: [string | null, string | null][] }
  language: { tags: string[]; default: string; rows: [string | null, string][] }
  basicFilter: [string, string, boolean][]
  extendedFilter: [string, string, boolean][]
}
interface State {
  exists?: false
  etag?: string
  lm?: number
}
type ConditionalVector = [string, State | null, ConditionalHeaders, number | string, boolean?]

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'))
const vectors = read('negotiate') as Vectors
const shown = (field: string | null): string => (field === null ? '(absent)' : `"${field}"`)

describe('quality of an offer (RFC 9110 §12.5.1)', () => {
  const qualityOf = (accept: string, offer: string, options = {}): number =>
    compileMediaTypes([offer], options)(accept).all[0]?.q ?? -1

  test.each(vectors.mediaQ)('%s scores %s %d exactly', (accept, offer, q) => {
    expect(qualityOf(accept, offer, { ignoreParameters: [] })).toBe(q)
  })

  test('differs by default in one row: a charset that the offer does not name is ignored', () => {
    const differing = vectors.mediaQ.filter(([accept, offer, q]) => qualityOf(accept, offer) !== q)
    expect(differing).toEqual([['application/json;charset=utf-8', 'application/json', 0]])
  })
})

describe('choice', () => {
  const { select, encoding: codings, language: languages } = vectors

  test.each(select.rows.map(([field, chosen]) => [shown(field), chosen, field]))(
    'Accept %s chooses %s (RFC 9110 §12.5.1)',
    (_shown, chosen, field) => {
      expect(mediaType(field, select.offers) ?? null).toBe(chosen)
      expect(mediaType(field, offers(select.offers, { ignoreParameters: [] })) ?? null).toBe(chosen)
    },
  )

  test.each(codings.rows.map(([field, chosen]) => [shown(field), chosen, field]))(
    'Accept-Encoding %s chooses %s (RFC 9110 §12.5.3)',
    (_shown, chosen, field) => {
      expect(encoding(field, codings.offers) ?? null).toBe(chosen)
    },
  )

  test.each(languages.rows.map(([field, chosen]) => [shown(field), chosen, field]))(
    'Accept-Language %s chooses %s (RFC 4647 §3.4)',
    (_shown, chosen, field) => {
      expect(language(field, languages.tags, { default: languages.default })).toBe(chosen)
    },
  )
})

describe('filtering of languages (RFC 4647 §3.3)', () => {
  test.each(vectors.basicFilter)('basic: %s on %s is %s', (range, tag, matches) => {
    expect(matchesLanguageRange(range, tag)).toBe(matches)
  })

  test.each(vectors.extendedFilter)('extended: %s on %s is %s', (range, tag, matches) => {
    expect(matchesExtendedLanguageRange(range, tag)).toBe(matches)
  })
})

describe('preconditions (RFC 9110 §13.2.2)', () => {
  const outcomes: Record<string, PreconditionResult> = {
    perform: 'perform',
    200: 'full',
    206: 'partial',
    304: 'not-modified',
    412: 'failed',
  }
  const rows = read('conditional') as ConditionalVector[]

  test.each(rows.map(([method, state, fields, result, ranges = false]) => ({ method, state, fields, result, ranges })))(
    '$method $state $fields returns $result',
    ({ method, state, fields, result, ranges }) => {
      const current = state && state.exists !== false ? { etag: state.etag, lastModified: state.lm } : undefined
      const now = Date.UTC(2026, 10, 21)
      expect(evaluatePreconditions(method, fields, current, { ranges, now })).toBe(outcomes[String(result)])
    },
  )
})
