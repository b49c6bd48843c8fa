import type { CompiledCollections } from '../../engine/compiled-collection.ts'
import { recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import { openApi } from '../../formats/openapi/document.ts'
import { docsPage, documentPage } from '../../formats/pages/docs.ts'

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
    recordRoute('/openapi.json', 'openapi', 'catalogue', ({ version }) => {
      const value = documentOf(version)
      return { value, page: (view) => documentPage(view, value, version) }
    }),
    recordRoute('/docs', 'docs', 'catalogue', ({ version }) => ({
      value: { describedBy: '/openapi.json' },
      links: { self: '/docs', 'service-desc': '/openapi.json' },
      page: (view) => docsPage(view, version),
    })),
  ]
}
