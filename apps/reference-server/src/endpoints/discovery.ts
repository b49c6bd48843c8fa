import type { Route } from '../resource/route.ts'
import type { Collection } from '../resources/define.ts'
import { ALL_SCOPES } from '../security/scopes.ts'
import type { SigningKey } from '../security/signing-key.ts'
import { recordRoute } from './record-route.ts'

/** Where a client that knows nothing begins: the root, the keys and the description of the issuer. */
export function discoveryRoutes(issuer: string, key: SigningKey, collections: readonly Collection[]): Route[] {
  const roots = collections.filter(({ path }) => !path.includes('{'))
  const links = { self: '/', ...Object.fromEntries(roots.map(({ name, path }) => [name, path])), tokens: '/tokens' }
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
    recordRoute('/', 'service', 'private', () => ({ value: { name: 'Svc reference server' }, links })),
    recordRoute('/.well-known/jwks.json', 'jwks', 'catalogue', () => ({ value: { keys: [key.publicJwk] } })),
    recordRoute('/.well-known/oauth-authorization-server', 'metadata', 'catalogue', () => ({ value: metadata })),
  ]
}
