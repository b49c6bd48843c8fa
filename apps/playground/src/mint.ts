import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import {
  type Connection,
  DEMO_USERS,
  describeAllowed,
  findUser,
  type Issuer,
  invalid,
  listScopes,
  type Problem,
  type SigningKey,
} from '../../reference-server/src/index.ts'

/** Defects that a token can have on purpose. */
export const FLAWS = ['none', 'expired', 'audience', 'unsigned'] as const

/** Everything that is needed to create tokens. */
export interface TokenMaker {
  db: Connection
  issuer: Issuer
  audience: string
  key: SigningKey
}

export interface TokenRequest {
  user: string
  /** Scopes with spaces between them; `undefined`: all of the user. */
  scope: string | undefined
  lifetimeSeconds: number
  flaw: string
}

const MAX_LIFETIME = 3600
const HALF_HOUR = 1800

/** Creates the token that was requested, valid or not. */
export async function createToken(
  { user, scope, lifetimeSeconds, flaw }: TokenRequest,
  { db, issuer, audience, key }: TokenMaker,
  origin: string,
) {
  const names = DEMO_USERS.map(({ username }) => username)
  const match = names.includes(user) ? await findUser(db, user) : undefined
  if (!match) throw rejected('/user', describeAllowed(names, user))
  if (!FLAWS.some((name) => name === flaw)) throw rejected('/flaw', describeAllowed(FLAWS, flaw))
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > MAX_LIFETIME)
    throw rejected('/lifetimeSeconds', { key: 'RANGE.between', params: { min: 1, max: MAX_LIFETIME } })
  const { subject, roles } = match
  const all = listScopes(roles)
  const granted = scope === undefined ? [...all] : scope.split(' ').filter((name) => all.has(name))
  const claims = { client_id: subject, scope: granted.join(' '), roles }
  const now = Math.floor(Date.now() / 1000) - (flaw === 'expired' ? HALF_HOUR + lifetimeSeconds : 0)
  const facts = {
    iss: issuer.at(origin),
    aud: flaw === 'audience' ? 'another-service' : audience,
    sub: subject,
    iat: now,
    exp: now + lifetimeSeconds,
    jti: randomUUID(),
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

function rejected(pointer: string, problem: Omit<Problem, 'pointer'>): Error {
  return invalid(400, 'VALIDATION_FAILED', [{ pointer, ...problem }])
}
