import hapi from '@hapi/accept'
import { encoding, language, mediaType, offers } from '@svc/negotiate'
import accepts from 'accepts'
import { accepts as hono } from 'hono/accepts'
import Negotiator from 'negotiator'
import type { Bench, Contender, CpuTarget } from '../harness/measure.ts'
import { fresh, numbered } from '../harness/strings.ts'

export const title = 'Accept, Accept-Language, Accept-Encoding'

const types = ['application/json', 'application/hal+json', 'application/xml', 'text/csv']
const vendor = ['application/vnd.svc.v2+json', 'application/vnd.svc.v1+json', ...types]
const tags = ['en', 'de', 'fr', 'es']
const codings = ['br', 'zstd', 'gzip', 'deflate']

const CHROME = {
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  language: 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  encoding: 'gzip, deflate, br, zstd',
}
const VENDOR = 'application/vnd.svc.v2+json;q=1.0, application/vnd.svc.v1+json;q=0.8, application/json;q=0.5, */*;q=0.1'

export function benches(): Bench[] {
  let turn = 0
  const many = Array.from({ length: 200 }, (_, index) =>
    fresh(`application/json;q=0.${index % 9}${index}, text/html;v=${index}, application/xml;q=0.5`),
  )
  const cycling = (): string => (many[turn++ % many.length] as () => string)()
  const neverSeen = numbered('application/json;q=0.5, text/x-00000000, application/xml;q=0.9')
  return [
    ofTypes('Accept: any', fresh('*/*'), types),
    ofTypes('Accept: application/json', fresh('application/json'), types, [to('N1', 1 / 50)]),
    ofTypes('Accept: axios', fresh('application/json, text/plain, */*'), types),
    ofTypes('Accept: Chrome', fresh(CHROME.accept), types, [to('N1', 1 / 100)]),
    ofTypes('Accept: vendor, versioned', fresh(VENDOR), vendor),
    ofTypes('Accept: 200 headers in turn', cycling, types, [to('N1', 1 / 20)]),
    ofTypes('Accept: every header new', neverSeen, types, [to('N2', 1 / 3), to('N2', 0.7, 'hono/accepts')]),
    ofTypes('Accept: 16 KB of ranges', fresh('a/b,'.repeat(4000)), types, [to('N3', 1 / 8)]),
    ofTags('Accept-Language: Chrome', fresh(CHROME.language)),
    ofTags('Accept-Language: 16 KB of tags', fresh('a,'.repeat(8000)), [to('N3', 1 / 8)]),
    ofCodings('Accept-Encoding: Chrome', fresh(CHROME.encoding)),
    ofCodings('Accept-Encoding: 16 KB of encodings', fresh('a,'.repeat(8000)), [to('N3', 1 / 8)]),
    allThree(),
  ]
}

const GRAMMAR = 'parameters, quoted strings and exclusions are read by the grammar, where the peers split and trim'

function to(id: string, most: number, against = 'negotiator'): CpuTarget {
  return { id, against, most, reason: GRAMMAR }
}

function ofTypes(name: string, next: () => string, list: string[], goals: CpuTarget[] = []): Bench {
  const compiled = offers(list)
  const context = { req: { header: next } } as never
  return against(name, next, goals, [
    { name: 'negotiator', run: () => new Negotiator({ headers: { accept: next() } }).mediaType(list) },
    { name: 'accepts', run: () => accepts({ headers: { accept: next() } } as never).type(list) },
    { name: '@hapi/accept', run: () => hapi.mediaType(next(), list) },
    { name: 'hono/accepts', run: () => hono(context, { header: 'Accept', supports: list, default: list[0] ?? '' }) },
    { name: '@svc/negotiate', run: () => mediaType(next(), compiled) },
    { name: '@svc/negotiate, offers as an array', run: () => mediaType(next(), list) },
  ])
}

function ofTags(name: string, next: () => string, goals: CpuTarget[] = []): Bench {
  const compiled = offers(tags)
  return against(name, next, goals, [
    { name: 'negotiator', run: () => new Negotiator({ headers: { 'accept-language': next() } }).language(tags) },
    { name: '@hapi/accept', run: () => hapi.language(next(), tags) },
    { name: '@svc/negotiate', run: () => language(next(), compiled) },
  ])
}

function ofCodings(name: string, next: () => string, goals: CpuTarget[] = []): Bench {
  const compiled = offers(codings)
  return against(name, next, goals, [
    { name: 'negotiator', run: () => new Negotiator({ headers: { 'accept-encoding': next() } }).encoding(codings) },
    { name: '@svc/negotiate', run: () => encoding(next(), compiled) },
  ])
}

/** Compares the cost of a browser's page request for a server that reads all three headers. */
function allThree(): Bench {
  const [type, tag, coding] = [fresh(CHROME.accept), fresh(CHROME.language), fresh(CHROME.encoding)]
  const compiled = { types: offers(types), tags: offers(tags), codings: offers(codings) }
  const next = (): unknown => [type(), tag(), coding()]
  const headers = () => ({ accept: type(), 'accept-language': tag(), 'accept-encoding': coding() })
  return against(
    'all three fields of Chrome',
    next,
    [to('N4', 0.5 / 14.4)],
    [
      {
        name: 'negotiator',
        run() {
          const negotiator = new Negotiator({ headers: headers() })
          return [negotiator.mediaType(types), negotiator.language(tags), negotiator.encoding(codings)]
        },
      },
      {
        name: '@svc/negotiate',
        run: () => [
          mediaType(type(), compiled.types),
          language(tag(), compiled.tags),
          encoding(coding(), compiled.codings),
        ],
      },
    ],
  )
}

function against(name: string, next: () => unknown, goals: CpuTarget[], contenders: Contender[]): Bench {
  const overhead = 'making the strings'
  return { name, base: 'negotiator', goals, overhead, contenders: [...contenders, { name: overhead, run: next }] }
}
