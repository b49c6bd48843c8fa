import type { webcrypto } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { tokenIssuer } from '../../reference-server/src/security/issue.ts'
import type { Effort } from '../harness/measure.ts'
import { address } from '../harness/strings.ts'
import type { Goal, Row, Table } from '../harness/table.ts'
import { shoot } from '../http/load.ts'
import { get, newKey, ONE, post, textOf } from '../http/requests.ts'
import { BARE, FASTIFY, FULL, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Memory after many requests'

// A run takes minutes.
export const once = true

const CODE = '145 MiB are there before the first request: packages, schemas, pages and languages that are loaded'
const CONNECTIONS = 32
const TOKENS = 20_000
const MIB = 2 ** 20
const COLUMNS: Table['columns'] = [
  { name: 'requests', unit: 'per second' },
  { name: 'RSS before', unit: 'bytes' },
  { name: 'after a half', unit: 'bytes' },
  { name: 'after all', unit: 'bytes' },
  { name: 'all to a half', unit: 'times' },
  { name: 'each of the second half', unit: 'bytes' },
]

export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const isShort = rounds < 10
  yield* withTargets([BARE, STACK, FASTIFY, FULL], {}, async function* (targets) {
    const rows: Row[] = []
    for (const target of targets) {
      const request = await get(ONE)(target)
      rows.push(await soak(target, isShort ? 4000 : 100_000, () => textOf(request)))
    }
    yield table('GET one again and again', rows, {
      id: 'S6',
      what: 'RSS',
      most: 130 * MIB,
      unit: 'bytes',
      reached: [afterAll(rows)],
      reason: CODE,
    })
  })
  yield await allDistinct(isShort ? 4000 : 200_000, isShort ? 100 : TOKENS)
}

/** Clients, tokens, Accept fields and keys that were never seen before: more of each than any cache holds. */
async function allDistinct(requests: number, tokens: number): Promise<Table> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const environment = { SVC_SIGNING_KEY: JSON.stringify(await exportJWK(privateKey)), SVC_TRUST_PROXY: '127.0.0.1' }
  const rows: Row[] = []
  for await (const row of withTargets([FULL], { environment }, (targets) =>
    distinct(targets, requests, tokens, privateKey),
  ))
    rows.push(row)
  const ratio = rows[0]?.figures[4] ?? 0
  return table('every client, token, Accept and key a new one', rows, {
    ...{
      id: 'M1',
      what: 'RSS after all requests to that after half of them',
      most: 1.1,
      unit: 'times',
      reached: [ratio],
    },
  })
}

async function* distinct(
  [target]: readonly Target[],
  requests: number,
  count: number,
  privateKey: webcrypto.CryptoKey,
): AsyncIterable<Row> {
  if (!target) return
  const tokens = await tokensFor(target, count, privateKey)
  const write = await post(newKey)(target)
  const read = await get(ONE)(target)
  let turn = 0
  yield await soak(target, requests, () => {
    turn++
    const request = turn % 4 === 0 ? write : read
    const own = {
      accept: `application/hal+json;q=0.9, application/x-${turn}, */*;q=0.1`,
      'x-forwarded-for': address(turn),
      authorization: `Bearer ${tokens[turn % tokens.length]}`,
    }
    return textOf({ ...request, fields: () => ({ ...request.fields(), ...own }) })
  })
}

/** Tokens of one user that the server takes, signed here: it gives out a few in a quarter of an hour alone. */
async function tokensFor({ fields }: Target, count: number, privateKey: webcrypto.CryptoKey): Promise<string[]> {
  const given = fields['authorization']?.split(' ')[1] ?? ''
  const [head, claims] = given
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const key = { kid: head.kid, privateKey, publicJwk: {}, derive: () => new Uint8Array() }
  const issue = tokenIssuer(claims.iss, claims.aud, key)
  const ada = { subject: claims.sub, roles: claims.roles, scopes: new Set<string>(claims.scope.split(' ')) } as never
  return await Promise.all(Array.from({ length: count }, async () => (await issue(ada)).access_token))
}

/** The memory of a server before, in the middle of, and after so many requests. */
async function soak(target: Target, requests: number, request: () => string): Promise<Row> {
  const rssAfter = async (count: number): Promise<number> => {
    let left = count
    const { answers } = await shoot(target.port, CONNECTIONS, () => (left-- > 0 ? request() : undefined))
    const refused = [...answers.keys()].filter((status) => status >= 300)
    if (refused.length > 0) throw new Error(`${target.name} answered ${refused}`)
    return (await target.usage()).rss
  }
  const before = await rssAfter(requests / 100)
  const half = await rssAfter(requests / 2)
  const all = await rssAfter(requests / 2)
  return { name: target.name, figures: [requests, before, half, all, all / half, ((all - half) * 2) / requests] }
}

function table(name: string, rows: Row[], goal: Goal): Table {
  return { table: name, columns: COLUMNS, rows, goals: [goal] }
}

function afterAll(rows: readonly Row[]): number {
  return rows.find(({ name }) => name === FULL)?.figures[3] ?? 0
}
