import { etagFromContent, etagFromVersion, evaluatePreconditions } from '@svc/negotiate/etags'
import etag from 'etag'
import fresh from 'fresh'
import type { Bench, CpuTarget } from '../harness/measure.ts'

export const title = 'Entity tags and conditions'

const HASH =
  'hashing is nearly all of it from 1 KB on, and SHA-256 takes a little more than the SHA-1 of etag, which is not allowed everywhere: decision 022'
const GRAMMAR = 'the list is read to its end by the grammar, where fresh cuts it at commas: decision 026'

const sizes = { '0.25 KB': 256, '1 KB': 1024, '10 KB': 10_240, '100 KB': 102_400 }
const variant = { type: 'application/json', language: 'en' }

export function benches(): Bench[] {
  const tags = Object.entries(sizes).map(([name, size]): Bench => {
    const body = Buffer.alloc(size, '{"id":7,"name":"Ada"},')
    return {
      name: `tag of ${name}`,
      base: 'etag',
      goals: [{ id: 'E1', against: 'etag', most: size <= 1024 ? 0.65 : 0.95, ...(size >= 1024 && { struck: HASH }) }],
      contenders: [
        { name: 'etag', run: () => etag(body) },
        { name: '@svc/negotiate entityTag', run: () => etagFromContent(body, variant) },
        { name: '@svc/negotiate versionTag', run: () => etagFromVersion(42, variant) },
      ],
    }
  })
  const current = '"dGhpcyBpcyBhIHRhZw.ab12cd"'
  const others = Array.from({ length: 19 }, (_, index) => `"c29tZSBvdGhlciB0YWc${index}.ab12cd"`)
  const many = Array.from({ length: 480 }, (_, index) => `"c29tZSBvdGhlciB0YWc${index}.ab12cd"`).join(', ')
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT'
  return [
    ...tags,
    condition('one tag', { 'if-none-match': current }, { etag: current }, { against: 'fresh', most: 0.3 }),
    condition(
      '20 tags',
      { 'if-none-match': [...others, current].join(', ') },
      { etag: current },
      { against: 'fresh', most: 0.25 },
    ),
    condition('16 KB of If-None-Match', { 'if-none-match': many }, { etag: current }, { most: 20_000 }),
    condition('If-Modified-Since', { 'if-modified-since': date }, { 'last-modified': date }),
  ]
}

type Fields = Record<string, string>

function condition(name: string, request: Fields, response: Fields, goal?: Omit<CpuTarget, 'id'>): Bench {
  const lastModified = response['last-modified'] ? Date.parse(response['last-modified']) : undefined
  const state = { etag: response['etag'], lastModified }
  return {
    name: `condition: ${name}`,
    base: 'fresh',
    goals: goal ? [{ id: 'E2', reason: GRAMMAR, ...goal }] : [],
    contenders: [
      { name: 'fresh', run: () => fresh(request, response) },
      { name: '@svc/negotiate', run: () => evaluatePreconditions('GET', request, state) },
    ],
  }
}
