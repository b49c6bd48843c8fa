import { randomBytes } from 'node:crypto'
import { type Idempotency, idempotency, type TransactionalStore } from '@svc/idempotency'
import { postgres } from '@svc/idempotency/stores/postgres'
import { sqlite } from '@svc/idempotency/stores/sqlite'
import type { RateLimitStore } from '@svc/ratelimit'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { sharedSetting } from './database/settings.ts'
import { attempts } from './security/attempts.ts'
import { type Authenticator, authenticator, guessBy } from './security/authenticator.ts'
import { type CheckPassword, type Guess, passwordChecker } from './security/basic.ts'
import { tokenChecker } from './security/bearer.ts'
import { type IssueToken, tokenIssuer } from './security/issue.ts'
import { type SigningKey, signingKey } from './security/signing-key.ts'
import { type SoapSecrets, soapSecrets } from './security/soap-secrets.ts'

/** What the app is made of beside its routes; each part is made once. */
export interface Services {
  authenticator: Authenticator
  issueToken: IssueToken
  issuer: string
  key: SigningKey
  checkPassword: CheckPassword
  /** A guess at the password of a user, as it is counted. */
  guessBy(address: string, username: string): Guess
  soapSecrets: SoapSecrets
  idempotency: Idempotency
  /** What marks of pages are signed with. */
  cursorKey: string
}

/** Makes the services on a database that is open. */
export async function createServices(config: Config, database: Database, counters?: RateLimitStore): Promise<Services> {
  const { jwtAudience: audience, jwks } = config
  const issuer = config.jwtIssuer ?? (config.publicUrl || 'http://localhost')
  const key = await signingKey(database.db, config.signingKey)
  const tokens = tokenChecker(database.db, { issuer, audience, jwks, key })
  const checkPassword = passwordChecker(database.db)
  const tries = attempts(counters)
  return {
    authenticator: authenticator(checkPassword, tokens, tries),
    checkPassword,
    guessBy: (address, username) => guessBy(tries, address, username),
    soapSecrets: soapSecrets(key.derive('soap-secrets')),
    issueToken: tokenIssuer(issuer, audience, key),
    issuer,
    key,
    idempotency: idempotency({ store: keyStore(database) }),
    cursorKey: await sharedSetting(database.db, 'cursor-key', async () => randomBytes(32).toString('base64url')),
  }
}

function keyStore({ native }: Database): TransactionalStore {
  return 'sqlite' in native ? sqlite(native.sqlite) : postgres(native.pool, { createTable: false })
}
