import type { Config } from '../../config.ts'
import type { Database } from '../../database/connection.ts'
import type { Collection } from '../../engine/define.ts'
import { type JsonSchema, objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import { type Route, recordRoute } from '../../engine/route.ts'
import { overviewPage } from '../../formats/pages/overview.ts'
import type { Issuer, SigningKey } from '../../security/issuer.ts'
import { ALL_SCOPES } from '../../security/scopes.ts'
import type { ServiceState } from '../dependencies.ts'
import { readiness } from './health.ts'

const info = { cache: 'public', tag: 'discovery' } as const

function member(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [name]: schema }, required: [name] }
}

const uri = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })
const words = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description })

const METADATA: JsonSchema = {
  type: 'object',
  properties: {
    issuer: { type: 'string', description: 'Issuer of the tokens.' },
    token_endpoint: uri('Where tokens are issued.'),
    jwks_uri: uri('Where the public keys are.'),
    grant_types_supported: words('Grants of OAuth 2.0.'),
    token_endpoint_auth_methods_supported: words('How clients authenticate.'),
    scopes_supported: words('All scopes.'),
    response_types_supported: words('Response types of OAuth 2.0: none.'),
  },
  required: ['issuer', 'token_endpoint', 'jwks_uri', 'grant_types_supported', 'scopes_supported'],
}

/** Creates the route of the API catalog (RFC 9727). */
export function catalogRoute({ publicUrl }: Pick<Config, 'publicUrl'>): Route {
  const target = (path: string, type: string): object => ({ href: publicUrl + path, type })
  const catalog = {
    anchor: `${publicUrl}/`,
    'service-desc': [target('/openapi.json', 'application/json'), target('/ws/customer?wsdl', 'text/xml')],
    'service-doc': [target('/docs', 'text/html')],
    status: [target('/health', 'application/health+json')],
  }
  return recordRoute(
    '/.well-known/api-catalog',
    {
      ...info,
      record: 'api-catalog',
      operationId: 'getApiCatalog',
      summary: 'Get the API catalog',
      description: 'Returns links to the descriptions of the API (RFC 9727).',
      gives: {
        name: 'ApiCatalog',
        schema: member('linkset', {
          type: 'array',
          items: { type: 'object' },
          description: 'Sets of links (RFC 9264).',
        }),
        example: { linkset: [catalog] },
      },
    },
    () => ({ value: { linkset: [catalog] } }),
  )
}

/** Creates the routes of the issuer: its keys and its metadata. */
export function issuerRoutes(
  issuer: Issuer,
  { publicJwk }: SigningKey,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Route[] {
  // The endpoints are where this service is, also if the issuer has another name (RFC 8414 §2).
  const metadata = (origin: string): Record<string, unknown> => {
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
    recordRoute(
      '/.well-known/jwks.json',
      {
        ...info,
        record: 'jwks',
        operationId: 'getJwks',
        summary: 'Get the keys that tokens are signed with',
        description: 'Returns the public keys of the issuer as a JSON Web Key Set (RFC 7517).',
        gives: {
          name: 'JsonWebKeySet',
          schema: member('keys', { type: 'array', items: { type: 'object' }, description: 'Public keys.' }),
          example: { keys: [publicJwk] },
        },
      },
      () => ({ value: { keys: [publicJwk] } }),
    ),
    recordRoute(
      '/.well-known/oauth-authorization-server',
      {
        ...info,
        record: 'metadata',
        operationId: 'getIssuerMetadata',
        summary: 'Get the metadata of the token issuer',
        description: 'Returns where tokens are issued and which grants and scopes exist (RFC 8414).',
        gives: { name: 'IssuerMetadata', schema: METADATA, example: metadata(issuer.at('http://localhost:3000')) },
      },
      ({ origin }) => ({ value: metadata(origin()) }),
    ),
  ]
}

const NAME = 'Svc reference server'
const QUERY = '{?page,size,cursor,sort,fields,embed}'

/** The root: a home document for clients, an overview page for browsers. */
export function homeRoute(collections: readonly Collection[], database: Database, state: ServiceState): Route {
  const roots = collections.filter(({ path }) => !path.includes('{'))
  const paths = Object.fromEntries(roots.map(({ name, path }) => [name, path]))
  const links = {
    self: '/',
    ...Object.fromEntries(roots.map(({ name, path }) => [name, path + QUERY])),
    ...Object.fromEntries(roots.map(({ item, path }) => [item, `${path}/{id}{?fields,embed}`])),
    health: '/health',
    'service-desc': '/openapi.json',
    'service-doc': '/docs',
  }
  const info = {
    record: 'service',
    cache: 'private',
    operationId: 'getHome',
    summary: 'Get the home document',
    description: 'Returns links to all collections, with templates for their queries.',
    tag: 'discovery',
    gives: {
      name: 'Home',
      schema: objectSchema({ name: field.text({ max: 100 }).describe('Name of the service.') }),
      example: { name: NAME },
      links,
    },
  } as const
  return recordRoute('/', info, async () => {
    const { isReady } = await readiness(database, state)
    const page = (view: Parameters<typeof overviewPage>[0]) => overviewPage(view, { isReady, collections: paths })
    return { value: { name: NAME }, links, page }
  })
}
