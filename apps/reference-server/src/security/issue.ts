import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Caller } from './caller.ts'
import type { SigningKey } from './signing-key.ts'

export interface Issued {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** Creates an access token for a caller, with `issuer` as its `iss`; `scope` narrows what it allows. */
export type IssueToken = (caller: Caller, issuer: string, scope?: string) => Promise<Issued>

const LIFETIME_SECONDS = 900

/** The issuer of the demo: ES256, `at+jwt`, a quarter of an hour. */
export function tokenIssuer(audience: string, { kid, privateKey }: SigningKey): IssueToken {
  return async ({ subject, roles, scopes }, issuer, wanted) => {
    const granted = wanted === undefined ? [...scopes] : wanted.split(' ').filter((name) => scopes.has(name))
    const scope = granted.join(' ')
    const token = new SignJWT({ client_id: subject, scope, roles })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS}s`)
      .setJti(randomUUID())
    return { access_token: await token.sign(privateKey), token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope }
  }
}
