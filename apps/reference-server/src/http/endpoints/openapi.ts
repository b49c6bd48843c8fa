import type { CompiledCollections } from '../../engine/compiled-collection.ts'
import { recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import { openApi } from '../../formats/openapi/document.ts'
import { docsPage, documentPage } from '../../formats/pages/docs.ts'

const docsInfo = {
  record: 'docs',
  cache: 'catalogue',
  operationId: 'getDocs',
  summary: 'Get the API documentation',
  description: 'Returns the API documentation as a page, or a link to the OpenAPI document.',
  tag: 'discovery',
} as const

/** The description of all routes, for machines at /openapi.json and for people at /docs. */
export function openApiRoutes(
  routes: readonly Route[],
  shapes: CompiledCollections,
  { versions, publicUrl }: { versions: readonly string[]; publicUrl: string },
): Route[] {
  const documents = new Map<string, Record<string, unknown>>()
  const documentOf = (version: string): Record<string, unknown> => {
    const base = `${publicUrl}/v${version}`
    const document = documents.get(version) ?? openApi(routes, shapes, { version, versions, base })
    documents.set(version, document)
    return document
  }
  return [
    recordRoute(
      '/openapi.json',
      {
        record: 'openapi',
        cache: 'catalogue',
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI document',
        description: 'Returns the OpenAPI document of the API version of the request.',
        tag: 'discovery',
      },
      ({ version }) => {
        const value = documentOf(version)
        return { value, page: (view) => documentPage(view, value, version) }
      },
    ),
    recordRoute('/docs', docsInfo, ({ version }) => ({
      value: { describedBy: '/openapi.json' },
      links: { self: '/docs', 'service-desc': '/openapi.json' },
      page: (view) => docsPage(view, version),
    })),
  ]
}
