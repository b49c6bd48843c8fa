import { randomUUID, type webcrypto } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Effort } from '../harness/measure.ts'
import { address } from '../harness/strings.ts'
import type { Row, Table } from '../harness/table.ts'
import { formatInTurn, get, newKey, ONE, post } from '../http/requests.ts'
import { soak, soakTable } from '../http/soak.ts'
import { FULL, type Target, withTargets } from '../http/targets.ts'

export const title = 'Memory after many requests'

// A run takes minutes.
export const once = true

const TOKENS = 20_000
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const isShort = rounds < 10
  yield await allDistinct(isShort ? 4000 : 200_000, isShort ? 100 : TOKENS)
}

/**
 * Clients, tokens, Accept fields and keys that were never seen before: more of each than any cache
 * holds.
 */
async function allDistinct(requests: number, tokens: number): Promise<Table> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const environment = { SVC_SIGNING_KEY: JSON.stringify(await exportJWK(privateKey)), SVC_TRUST_PROXY: '127.0.0.1' }
  const rows: Row[] = []
  for await (const row of withTargets([FULL], { environment }, (targets) =>
    distinct(targets, requests, tokens, privateKey),
  ))
    rows.push(row)
  const ratio = rows[0]?.figures[4] ?? 0
  return soakTable('every client, token, Accept and key a new one', rows, {
    id: 'M1',
    what: 'RSS after all requests to that after half of them',
    most: 1.1,
    unit: 'times',
    reached: [ratio],
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
    const headers = {
      accept: `application/hal+json;q=0.9, application/x-${turn}, */*;q=0.1`,
      'x-forwarded-for': address(turn),
      authorization: `Bearer ${tokens[turn % tokens.length]}`,
    }
    return formatInTurn({ ...request, fields: (index) => ({ ...request.fields(index), ...headers }) })()
  })
}

/**
 * Tokens of one user that the server accepts. They are signed here: the server issues only a few in
 * 15 minutes.
 */
async function tokensFor({ fields }: Target, count: number, privateKey: webcrypto.CryptoKey): Promise<string[]> {
  const token = fields['authorization']?.split(' ')[1] ?? ''
  const [head, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { exp: _exp, iat: _iat, ...rest } = claims
  const sign = (): Promise<string> =>
    new SignJWT({ ...rest, jti: randomUUID() })
      .setProtectedHeader(head)
      .setIssuedAt()
      .setExpirationTime('30m')
      .sign(privateKey)
  return await Promise.all(Array.from({ length: count }, sign))
}
