import type { OpenAPIObject } from 'openapi3-ts/oas31'
import type { CompiledCollections } from '../../engine/compiled-collection.ts'
import { type RecordInfo, type Route, recordRoute } from '../../engine/route.ts'
import { buildOpenApi, type DocumentOptions } from '../../formats/openapi/document.ts'
import { documentPage, referencePage, tagPage } from '../../formats/pages/reference.ts'
import { requireNamed } from './catalogs.ts'

const common = { cache: 'public', tag: 'discovery' } as const

const docsInfo = {
  ...common,
  record: 'docs',
  operationId: 'getDocs',
  summary: 'Get the API documentation',
  description: 'Returns the API documentation as a page, or a link to the OpenAPI document.',
}

const tagInfo = {
  ...common,
  record: 'docs-tag',
  operationId: 'getDocsOfTag',
  summary: 'Get the documentation of a tag',
  description: 'Returns the operations of a tag as a page, or a link to the OpenAPI document.',
}

/** The description of all routes: /openapi.json, /openapi.yaml and, as pages, /docs. */
export function openApiRoutes(
  routes: readonly Route[],
  shapes: CompiledCollections,
  { publicUrl, ...options }: Omit<DocumentOptions, 'version' | 'base'> & { publicUrl: string },
): Route[] {
  const documents = new Map<string, Record<string, unknown>>()
  const getDocument = (version: string): Record<string, unknown> => {
    const base = `${publicUrl}/v${version}`
    const document = documents.get(version) ?? buildOpenApi(routes, shapes, { ...options, version, base })
    documents.set(version, document)
    return document
  }
  const description = 'Returns the OpenAPI document of the API version of the request.'
  const openApiRoute = (path: string, info: Pick<RecordInfo, 'record' | 'operationId' | 'summary'>): Route =>
    recordRoute(path, { ...common, ...info, description }, ({ version }) => {
      const value = getDocument(version)
      return { value, page: (view) => documentPage(view, value, version) }
    })
  const getApi = (version: string): OpenAPIObject => getDocument(version) as unknown as OpenAPIObject
  return [
    openApiRoute('/openapi.json', {
      record: 'openapi',
      operationId: 'getOpenApi',
      summary: 'Get the OpenAPI document',
    }),
    openApiRoute('/openapi.yaml', {
      record: 'openapi-yaml',
      operationId: 'getOpenApiYaml',
      summary: 'Get the OpenAPI document as YAML',
    }),
    recordRoute('/docs', docsInfo, ({ version }) => ({
      value: { describedBy: '/openapi.json' },
      links: { self: '/docs', 'service-desc': '/openapi.json' },
      page: (view) => referencePage({ view, version, document: getApi(version) }),
    })),
    recordRoute('/docs/{tag}', tagInfo, ({ version, params }) => {
      const document = getApi(version)
      const { name } = requireNamed(new Map(document.tags?.map((tag) => [tag.name, tag])), 'tag', params['tag'] ?? '')
      return {
        value: { tag: name, describedBy: '/openapi.json' },
        links: { self: `/docs/${name}`, collection: '/docs', 'service-desc': '/openapi.json' },
        page: (view) => tagPage({ view, version, document }, name),
      }
    }),
  ]
}
