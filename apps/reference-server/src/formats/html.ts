import type { Representation } from '@svc/negotiate'
import { etagFromVersion } from '@svc/negotiate/etags'
import type { ResponseContent } from '../engine/action.ts'
import type { CompiledCollection, RenderContext } from '../engine/compiled-collection.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { isConfined } from '../security/caller.ts'
import type { Format } from './format.ts'
import { renderForms } from './json.ts'
import type { ReferenceLink } from './pages/fields.ts'
import { layout } from './pages/layout.ts'
import { resourcePage } from './pages/resource.ts'
import { createView, maskHeaders, type PageOf, type PageView, toPageRepresentation } from './pages/view.ts'

export function htmlFormat(formats: (kind: ResponseContent['kind'], record?: string) => readonly string[]): Format {
  return {
    type: 'text/html',
    parameters: '; charset=utf-8',
    kinds: ['item', 'page', 'record', 'none'],
    adapt: toPageRepresentation,
    encode(content, context, { req, representation, site }) {
      const { status = 200, headers, type, cacheControl, language } = toPageRepresentation(representation, req)
      const pageHeaders = { 'Content-Type': type, 'Content-Language': language, 'Cache-Control': cacheControl }
      const types = formats(content.kind, content.kind === 'record' ? content.name : undefined)
      const view: PageView = {
        ...createView(req, site),
        formats: types.filter((each) => each !== 'text/html'),
        response: { status, headers: maskHeaders({ ...pageHeaders, ...requestStateOf(req).headers, ...headers }) },
      }
      const page = content.kind === 'record' ? (content.page as PageOf | undefined)?.(view) : undefined
      return layout(view, page ?? resourcePage({ ...view, ...describeResource(content, representation, context) }))
    },
  }
}

function describeResource(content: ResponseContent, { version, variant }: Representation, context: RenderContext) {
  const document = renderForms(content, context)
  const etag = version === undefined ? undefined : etagFromVersion(version, { type: 'application/json', variant })
  if (content.kind === 'record') return { title: toTitle(content.name), document, etag }
  const { name, item, sort, filters } = content.shape.collection
  const linkReference = compileReferenceLink(content.shape, context)
  if (content.kind === 'item') return { title: `${toTitle(item)} ${content.item.id}`, document, etag, linkReference }
  return { title: toTitle(name), document, etag, linkReference, sortable: sort, filterable: filters }
}

/** Links ids for readers who can open the items. Confined readers use the relations. */
function compileReferenceLink(shape: CompiledCollection, { base, caller, mayFollow }: RenderContext): ReferenceLink {
  return (field, id) => {
    const target = shape.referenced(field)
    if (!target) return undefined
    const { owner, publicRead } = target
    if (owner && !publicRead && isConfined(caller, owner.liftedBy.read)) return undefined
    const path = `${target.path}/${id}`
    return mayFollow(path) ? base + path : undefined
  }
}

function toTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}
