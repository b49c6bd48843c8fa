import type { Config } from '../../config.ts'
import { recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import type { Issuer } from '../../security/issuer.ts'
import { ALL_SCOPES } from '../../security/scopes.ts'
import type { SigningKey } from '../../security/signing-key.ts'

/** What clients find the service by: the keys and metadata of the issuer, and where the API is described (RFC 9727). */
export function discoveryRoutes(issuer: Issuer, key: SigningKey, { publicUrl }: Pick<Config, 'publicUrl'>): Route[] {
  const target = (path: string, type: string): object => ({ href: publicUrl + path, type })
  const catalog = {
    anchor: `${publicUrl}/`,
    'service-desc': [target('/openapi.json', 'application/json'), target('/ws/customer?wsdl', 'text/xml')],
    'service-doc': [target('/docs', 'text/html')],
    status: [target('/health', 'application/health+json')],
  }
  // The endpoints are where this service is, also if the issuer has another name (RFC 8414 §2).
  const metadata = (origin: string): object => {
    const base = publicUrl === '' ? origin : publicUrl
    return {
      issuer: issuer.at(origin),
      token_endpoint: `${base}/tokens`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      scopes_supported: ALL_SCOPES,
      response_types_supported: [],
    }
  }
  return [
    recordRoute('/.well-known/api-catalog', 'api-catalog', 'catalogue', () => ({ value: { linkset: [catalog] } })),
    recordRoute('/.well-known/jwks.json', 'jwks', 'catalogue', () => ({ value: { keys: [key.publicJwk] } })),
    recordRoute('/.well-known/oauth-authorization-server', 'metadata', 'catalogue', ({ origin }) => ({
      value: { ...metadata(origin()) },
    })),
  ]
}
