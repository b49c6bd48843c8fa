import hapi from '@hapi/accept'
import { encoding, language, mediaType, offers } from '@svc/negotiate'
import accepts from 'accepts'
import Negotiator from 'negotiator'
import type { Bench } from '../measure.ts'

export const title = 'Accept, Accept-Language, Accept-Encoding'

const types = ['application/json', 'application/hal+json', 'application/xml', 'text/csv']
const vendor = ['application/vnd.svc.v2+json', 'application/vnd.svc.v1+json', ...types]
const tags = ['en', 'de', 'fr', 'es']
const codings = ['br', 'zstd', 'gzip', 'deflate']

const headers = {
  any: '*/*',
  'application/json': 'application/json',
  axios: 'application/json, text/plain, */*',
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'vendor, versioned':
    'application/vnd.svc.v2+json;q=1.0, application/vnd.svc.v1+json;q=0.8, application/json;q=0.5, */*;q=0.1',
}

/** A header as a server gets it: a fresh string each time, nothing about it known to the engine. */
function fresh(text: string): () => string {
  const bytes = Buffer.from(text)
  return () => bytes.toString('latin1')
}

/** The same with another number in the place of its zeros each time. */
function numbered(text: string): () => string {
  const bytes = Buffer.from(text)
  const start = text.indexOf('00000000')
  return () => {
    for (let at = start + 7; ; at--) {
      const digit = bytes[at] ?? 0
      bytes[at] = digit === 0x39 ? 0x30 : digit + 1
      if (digit !== 0x39 || at === start) return bytes.toString('latin1')
    }
  }
}

function typeBench(name: string, next: () => string, list: string[], goals: Bench['goals']): Bench {
  const compiled = offers(list)
  return {
    name,
    base: 'negotiator',
    overhead: 'making the string',
    goals: goals ?? [],
    contenders: [
      { name: 'negotiator', run: () => new Negotiator({ headers: { accept: next() } }).mediaType(list) },
      { name: 'accepts', run: () => accepts({ headers: { accept: next() } } as never).type(list) },
      { name: '@hapi/accept', run: () => hapi.mediaType(next(), list) },
      { name: '@svc/negotiate', run: () => mediaType(next(), compiled) },
      { name: '@svc/negotiate, offers as an array', run: () => mediaType(next(), list) },
      { name: 'making the string', run: next },
    ],
  }
}

export function benches(): Bench[] {
  const warm = Object.entries(headers).map(([name, text]) => {
    const ratio = { Chrome: 1 / 100, 'application/json': 1 / 50 }[name]
    const goals = ratio ? [{ id: 'N1', against: 'negotiator', ratio }] : []
    return typeBench(`Accept: ${name}`, fresh(text), name.startsWith('vendor') ? vendor : types, goals)
  })
  let turn = 0
  const many = Array.from({ length: 200 }, (_, at) =>
    fresh(`application/json;q=0.${at % 9}${at}, text/html;v=${at}, application/xml;q=0.5`),
  )
  const cycling = (): string => (many[turn++ % many.length] as () => string)()
  const neverSeen = numbered('application/json;q=0.5, text/x-00000000, application/xml;q=0.9')
  const hostile = fresh('a/b,'.repeat(4000))
  return [
    ...warm,
    typeBench('Accept: 200 headers in turn', cycling, types, [{ id: 'N1', against: 'negotiator', ratio: 1 / 20 }]),
    typeBench('Accept: every header new', neverSeen, types, [{ id: 'N2', against: 'negotiator', ratio: 1 / 3 }]),
    typeBench('Accept: 16 KB of ranges', hostile, types, [{ id: 'N3', against: 'negotiator', ratio: 1 / 8 }]),
    languages('Accept-Language: Chrome', fresh('de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7')),
    languages('Accept-Language: 16 KB of tags', fresh('a,'.repeat(8000))),
    encodings('Accept-Encoding: Chrome', fresh('gzip, deflate, br, zstd')),
    encodings('Accept-Encoding: 16 KB of codings', fresh('a,'.repeat(8000))),
  ]
}

function languages(name: string, next: () => string): Bench {
  const compiled = offers(tags)
  return {
    name,
    base: 'negotiator',
    overhead: 'making the string',
    goals: name.includes('16 KB') ? [{ id: 'N3', against: 'negotiator', ratio: 1 / 8 }] : [],
    contenders: [
      { name: 'negotiator', run: () => new Negotiator({ headers: { 'accept-language': next() } }).language(tags) },
      { name: '@hapi/accept', run: () => hapi.language(next(), tags) },
      { name: '@svc/negotiate', run: () => language(next(), compiled) },
      { name: 'making the string', run: next },
    ],
  }
}

function encodings(name: string, next: () => string): Bench {
  const compiled = offers(codings)
  return {
    name,
    base: 'negotiator',
    overhead: 'making the string',
    goals: name.includes('16 KB') ? [{ id: 'N3', against: 'negotiator', ratio: 1 / 8 }] : [],
    contenders: [
      { name: 'negotiator', run: () => new Negotiator({ headers: { 'accept-encoding': next() } }).encoding(codings) },
      { name: '@svc/negotiate', run: () => encoding(next(), compiled) },
      { name: 'making the string', run: next },
    ],
  }
}
