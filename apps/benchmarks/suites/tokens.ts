import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Database } from '../../reference-server/src/database/connection.ts'
import { chain } from '../../reference-server/src/database/maybe-promise.ts'
import { openDatabase } from '../../reference-server/src/database/open.ts'
import { migrations } from '../../reference-server/src/domain/migrations.ts'
import { tokenChecker } from '../../reference-server/src/security/bearer.ts'
import type { Caller } from '../../reference-server/src/security/caller.ts'
import { signingKey, tokenIssuer } from '../../reference-server/src/security/issuer.ts'
import type { Bench } from '../harness/measure.ts'
import { AUDIENCE, ISSUER, issue, isTrusted } from '../http/tokens.ts'

export const title = 'Bearer tokens'

const TOKENS = 16
const ada: Caller = {
  subject: 'ada',
  name: 'ada',
  userId: 1,
  customerId: undefined,
  roles: ['admin'],
  scopes: new Set(['employees:read']),
  mark: '',
  markNumber: 1,
  scheme: 'Bearer',
  clientId: 'ada',
}
const SLOW = 'jose verifies by WebCrypto, on a thread of its own'

/** Compares the token check of the reference server with `jwtVerify` for each request. */
export async function benches(): Promise<Bench[]> {
  const db = await openDatabase({ databaseUrl: undefined, dataDir: undefined }, migrations)
  const key = await signingKey(db, undefined)
  const rules = { isIssuer: (issuer: string) => issuer === ISSUER, audience: AUDIENCE, jwks: undefined, key }
  const issueToken = tokenIssuer(AUDIENCE, key)
  const tokens: string[] = []
  for (let index = 0; index < TOKENS; index++) tokens.push((await issueToken(ada, ISSUER)).access_token)
  const header = `Bearer ${await issue()}`
  const keys = createLocalJWKSet({ keys: [key.publicJwk] })
  const es256 = (token: string) => jwtVerify(token, keys, { issuer: ISSUER, audience: AUDIENCE })
  const seen = createCheck(db, tokenChecker(db, rules))
  let unseen = createCheck(db, tokenChecker(db, rules))
  let position = 0
  let calls = 0
  const next = (): string => tokens[position++ % TOKENS] as string
  release = () => db.close()
  const jose = [
    { name: 'jose, ES256', run: () => es256(next()) },
    { name: 'jose, HS256 with a CryptoKey', run: () => isTrusted(header) },
  ]
  return [
    {
      name: `${TOKENS} tokens in turn, seen before`,
      base: 'jose, ES256',
      goals: [
        { id: 'A1', against: 'jose, HS256 with a CryptoKey', most: 1 / 20 },
        { id: 'A1', against: 'jose, ES256', most: 1 / 60 },
      ],
      contenders: [...jose, { name: '@svc/reference-server', run: () => seen(next()) }],
    },
    {
      name: 'a token never seen, with the look-up of its user',
      base: 'jose, ES256',
      goals: [
        {
          id: 'A1',
          against: 'jose, ES256',
          most: 1.03,
          reason: `${SLOW}; the look-up of the user in SQLite is the rest`,
        },
      ],
      contenders: [
        ...jose,
        {
          name: '@svc/reference-server',
          run() {
            if (calls++ % TOKENS === 0) unseen = createCheck(db, tokenChecker(db, rules))
            return unseen(tokens[calls % TOKENS] as string)
          },
        },
      ],
    },
  ]
}

let release = async (): Promise<void> => {}

export function close(): Promise<void> {
  return release()
}

/** A check as the server makes it: what was verified before needs no promise. */
function createCheck(db: Database, { known, check }: ReturnType<typeof tokenChecker>): (token: string) => unknown {
  return (token) => chain(db.changes(), (changes) => known(token, changes?.users) ?? check(token, changes?.users))
}
