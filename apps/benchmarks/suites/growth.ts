import { parseLinkHeader } from '@svc/hal'
import { canonicalJson, parseIdempotencyKey } from '@svc/idempotency'
import { encoding, language, mediaType, offers } from '@svc/negotiate'
import { etagFromContent, evaluatePreconditions } from '@svc/negotiate/etags'
import { type Growing, growthTable } from '../harness/growth.ts'
import type { Effort } from '../harness/measure.ts'
import { address, numbered } from '../harness/strings.ts'
import type { Table } from '../harness/table.ts'
import type { sizes } from '../soap/customers.ts'
import { operations } from '../soap/ours.ts'
import { preparePage } from './hal.ts'
import { filled, ours as keeper } from './idempotency.ts'
import { createCounter } from './ratelimit.ts'

export const title = 'Growth with the size of the input'

const MEMBERS = [4, 8, 16, 32, 64]
const CHARACTERS = [1024, 2048, 4096, 8192, 16_384]
const KEYS = [10_000, 100_000, 1_000_000]

export async function* tables(effort: Effort): AsyncIterable<Table> {
  const keys = effort.rounds < 10 ? KEYS.slice(0, 2) : KEYS
  yield await growthTable(
    'parsers and writers',
    'Each input is new to what reads it, and within its limits.',
    parsers(),
    effort,
  )
  yield await growthTable(
    'stores by the keys that they hold',
    'Keys are taken in an order that no cache likes.',
    stores(keys),
    effort,
  )
}

function parsers(): Growing[] {
  const list = (member: string) => (count: number) => numbered(`${member}00000000${`, ${member}`.repeat(count - 1)}`)
  const range = list('text/x;q=0.5;v=')
  const tag = list('de-DE-x')
  const coding = list('gzip')
  const types = offers(['application/json', 'application/xml'])
  const tags = offers(['en', 'de'])
  const codings = offers(['br', 'gzip'])
  const soap = { '0.5 KB': 512, '20 KB': 20_480, '1 MB': 1_048_576 } satisfies Record<keyof typeof sizes, number>
  const soapAt = (step: string, size: number) => {
    const name = Object.keys(soap).find((key) => soap[key as keyof typeof soap] === size)
    return operations[`${step} ${name}`] as () => unknown
  }
  return [
    parser('Accept, ranges', MEMBERS, range, (text) => mediaType(text, types)),
    parser('Accept-Language, tags', MEMBERS, tag, (text) => language(text, tags)),
    parser('Accept-Encoding, members', MEMBERS, coding, (text) => encoding(text, codings)),
    parser('If-None-Match, tags', [8, 32, 128, 480], list('"abcdefghijkl"'), (text) =>
      evaluatePreconditions('GET', { 'if-none-match': text }, { etag: '"other"' }),
    ),
    parser('Link, links', MEMBERS, list('</a>; rel="next"; title="x"'), (text) => parseLinkHeader(text)),
    parser(
      'Idempotency-Key, characters',
      [16, 32, 64, 128],
      (size) => numbered(`"00000000${'k'.repeat(size - 10)}"`),
      (text) => parseIdempotencyKey(text),
    ),
    parser(
      'canonical JSON, members',
      MEMBERS,
      (count) =>
        numbered(
          JSON.stringify({ x: '00000000', list: Array.from({ length: count }, (_, id) => ({ id, b: 'x', a: null })) }),
        ),
      (text) => canonicalJson(text),
    ),
    linear('entity tag, bytes', CHARACTERS, (size) => {
      const bytes = Buffer.alloc(size, 'x')
      return () => etagFromContent(bytes)
    }),
    linear('HAL page, items', [8, 16, 32, 64, 128], preparePage),
    linear('SOAP, reading, bytes', Object.values(soap), (size) => soapAt('parse', size)),
    linear('SOAP, writing, bytes', Object.values(soap), (size) => soapAt('write', size)),
  ]
}

function linear(name: string, sizes: readonly number[], prepare: Growing['prepare']): Growing {
  return { name, sizes, prepare, most: 1.15 }
}

function parser(
  name: string,
  sizes: readonly number[],
  text: (size: number) => () => string,
  parse: (text: string) => unknown,
): Growing {
  return linear(name, sizes, (size) => {
    const next = text(size)
    return () => parse(next())
  })
}

function stores(sizes: readonly number[]): Growing[] {
  return [
    { name: 'a Map of counters, the floor', sizes, prepare: countInMap },
    {
      name: '@svc/ratelimit, addresses',
      sizes,
      prepare: createCounter,
      most: 0.1,
      reason:
        'what grows is the time that a processor waits for memory outside its caches: a Map of the same keys, the floor, grows more',
    },
    { name: '@svc/idempotency, keys', sizes, prepare: (keys) => filled(keeper, keys), most: 0.1, id: 'I1' },
  ]
}

function countInMap(keys: number): () => unknown {
  const names = Array.from({ length: keys }, (_, index) => address(index))
  const counts = new Map(names.map((name) => [name, 1]))
  let index = 0
  return () => {
    const key = names[(index = (index + 7919) % keys)] as string
    return counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}
