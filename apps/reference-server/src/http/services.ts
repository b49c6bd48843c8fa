import { randomBytes } from 'node:crypto'
import type { RateLimitStore } from '@svc/ratelimit'
import type { Config } from '../config.ts'
import type { Database } from '../database/connection.ts'
import { sharedSetting } from '../database/settings.ts'
import { disabledHashes } from '../domain/seed/demo-users.ts'
import { createAttempts } from '../security/attempts.ts'
import { authenticator, passwordChecker, prover } from '../security/authenticator.ts'
import { tokenChecker } from '../security/bearer.ts'
import { createIssuer, signingKey, tokenIssuer } from '../security/issuer.ts'
import { clientLocator } from './rate-limits.ts'
import { soapSecrets } from './soap/credentials.ts'

/** Services that the app is built from, except its routes. Each is created once. */
export type Services = Awaited<ReturnType<typeof createServices>>

/** Makes the services on a database that is open. */
export async function createServices(config: Config, database: Database, counters?: RateLimitStore) {
  const { jwtAudience: audience, jwks } = config
  const issuer = createIssuer(config)
  const key = await signingKey(database, config.signingKey)
  const tokens = tokenChecker(database, { isIssuer: issuer.accepts, audience, jwks, key })
  const attempts = createAttempts(counters)
  const prove = prover(attempts)
  const checkPassword = passwordChecker(database, prove, disabledHashes(config))
  return {
    authenticator: authenticator({ checkPassword, tokens, attempts }),
    checkPassword,
    prove,
    locate: clientLocator(config.trustProxy),
    soapSecrets: soapSecrets(key.derive('soap-secrets')),
    issueToken: tokenIssuer(audience, key),
    issuer,
    key,
    /** Key that signs page cursors. */
    cursorKey: await sharedSetting(database, 'cursor-key', async () => randomBytes(32).toString('base64url')),
  }
}
