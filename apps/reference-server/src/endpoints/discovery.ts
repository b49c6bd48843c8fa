import type { Route } from '../resource/route.ts'
import { ALL_SCOPES } from '../security/scopes.ts'
import type { SigningKey } from '../security/signing-key.ts'
import { recordRoute } from './record-route.ts'

/** What others need to check our tokens: the keys and the description of the issuer. */
export function discoveryRoutes(issuer: string, key: SigningKey): Route[] {
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/tokens`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    scopes_supported: ALL_SCOPES,
    response_types_supported: [],
  }
  return [
    recordRoute('/.well-known/jwks.json', 'jwks', 'catalogue', () => ({ value: { keys: [key.publicJwk] } })),
    recordRoute('/.well-known/oauth-authorization-server', 'metadata', 'catalogue', () => ({ value: metadata })),
  ]
}
