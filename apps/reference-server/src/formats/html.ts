import type { IncomingMessage } from 'node:http'
import type { Representation } from '@svc/negotiate'
import { etagFromVersion } from '@svc/negotiate/etags'
import type { ResponseContent } from '../engine/action-result.ts'
import type { CompiledCollection, RenderContext } from '../engine/compiled-collection.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { isConfined } from '../security/caller.ts'
import { pageSecurity } from '../security/headers.ts'
import type { EncodeContext, Format } from './format.ts'
import { renderForms } from './json.ts'
import type { ReferenceLink } from './pages/fields.ts'
import { layout } from './pages/layout.ts'
import { resourcePage } from './pages/resource.ts'
import { languageOf, maskHeaders, type PageOf, type PageView, viewOf } from './pages/view.ts'

/** Pages for people, of every resource. */
export function htmlFormat(formats: (kind: ResponseContent['kind'], record?: string) => readonly string[]): Format {
  return {
    type: 'text/html',
    parameters: '; charset=utf-8',
    kinds: ['item', 'page', 'record', 'none'],
    adapt,
    encode(content, context, occasion) {
      const others = formats(content.kind, content.kind === 'record' ? content.name : undefined).filter(
        (type) => type !== 'text/html',
      )
      const view = pageView(occasion, context, others)
      const page = content.kind === 'record' ? (content.page as PageOf | undefined)?.(view) : undefined
      return layout(view, page ?? resourcePage({ ...view, ...resourceOf(content, occasion.representation, context) }))
    },
  }
}

// A page repeats the request and who sent it, so no answer stands for another one.
function adapt(representation: Representation, req: IncomingMessage): Representation {
  return {
    ...representation,
    ...{ version: undefined, variant: undefined, etag: false, lastModified: undefined },
    cacheControl: representation.cacheControl === 'no-store' ? 'no-store' : 'private, no-cache',
    headers: { ...representation.headers, ...pageSecurity },
    language: languageOf(req),
    vary: ['Accept', 'Accept-Language'],
  }
}

function pageView(
  { req, representation, site }: EncodeContext,
  { caller }: RenderContext,
  formats: readonly string[],
): PageView {
  const { status = 200, headers, type, cacheControl, language } = adapt(representation, req)
  const own = { 'Content-Type': type, 'Content-Language': language, 'Cache-Control': cacheControl }
  return {
    ...viewOf(req, site),
    formats,
    response: { status, headers: maskHeaders({ ...own, ...requestStateOf(req).headers, ...headers }) },
    user: caller?.name,
  }
}

function resourceOf(content: ResponseContent, { version, variant }: Representation, context: RenderContext) {
  const document = renderForms(content, context) as Record<string, unknown>
  const etag = version === undefined ? undefined : etagFromVersion(version, { type: 'application/json', variant })
  if (content.kind === 'record') return { title: titled(content.name), document, etag }
  const { name, item, sort, filters } = content.shape.collection
  const linkReference = compileReferenceLink(content.shape, context)
  if (content.kind === 'item') return { title: `${titled(item)} ${content.item.id}`, document, etag, linkReference }
  return { title: titled(name), document, etag, linkReference, sortable: sort, filterable: filters }
}

/** Ids are links for readers who can open what they name; confined readers have the relations for that. */
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

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}
