import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import {
  type Connection,
  DEMO_USERS,
  findUser,
  type Issuer,
  invalid,
  oneOf,
  type Problem,
  type SigningKey,
  scopesOf,
} from '../../reference-server/src/index.ts'

/** What can be wrong with a token on purpose. */
export const FLAWS = ['none', 'expired', 'audience', 'unsigned'] as const

export interface Mint {
  db: Connection
  issuer: Issuer
  audience: string
  key: SigningKey
}

export interface TokenWish {
  user: string
  /** Scopes with spaces between; left out: all of the user. */
  scope: string | undefined
  lifetimeSeconds: number
  flaw: string
}

const MAX_LIFETIME = 3600
const HALF_HOUR = 1800

/** Makes the token that was asked for, right or wrong. */
export async function mint(
  { user, scope, lifetimeSeconds, flaw }: TokenWish,
  { db, issuer, audience, key }: Mint,
  origin: string,
) {
  const names = DEMO_USERS.map(({ username }) => username)
  const known = names.includes(user) ? await findUser(db, user) : undefined
  if (!known) throw refused('/user', oneOf(names, user))
  if (!FLAWS.some((one) => one === flaw)) throw refused('/flaw', oneOf(FLAWS, flaw))
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > MAX_LIFETIME)
    throw refused('/lifetimeSeconds', { key: 'RANGE.between', params: { min: 1, max: MAX_LIFETIME } })
  const { subject, roles } = known
  const all = scopesOf(roles)
  const granted = scope === undefined ? [...all] : scope.split(' ').filter((name) => all.has(name))
  const claims = { client_id: subject, scope: granted.join(' '), roles }
  const now = Math.floor(Date.now() / 1000) - (flaw === 'expired' ? HALF_HOUR + lifetimeSeconds : 0)
  const facts = {
    ...{ iss: issuer.at(origin), aud: flaw === 'audience' ? 'somebody-else' : audience, sub: subject },
    ...{ iat: now, exp: now + lifetimeSeconds, jti: randomUUID() },
  }
  const payload = { ...claims, ...facts }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.kid }
  const token =
    flaw === 'unsigned'
      ? new UnsecuredJWT(payload).encode()
      : await new SignJWT(payload).setProtectedHeader(header).sign(key.privateKey)
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope: claims.scope,
    claims: payload,
  }
}

function refused(pointer: string, problem: Omit<Problem, 'pointer'>): Error {
  return invalid(400, 'VALIDATION_FAILED', [{ pointer, ...problem }])
}
