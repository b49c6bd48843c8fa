import { type Page, page } from '@svc/hal'
import type { ItemContent, PageContent } from '../engine/action-result.ts'
import type { CompiledCollection, RenderContext } from '../engine/compiled-collection.ts'
import type { Item } from '../engine/define.ts'

const MAX_OFFSET = 10_000

const pages = new WeakMap<PageContent, Page<Item>>()

/** The page that @svc/hal makes of a page of ours: once, for its text and for its field `Link`. */
export function pageOf(content: PageContent, context: RenderContext): Page<Item> {
  const made = pages.get(content) ?? makePage(content, context)
  pages.set(content, made)
  return made
}

function makePage(content: PageContent, context: RenderContext): Page<Item> {
  const { items, path, query, number, size, totalElements, cursors } = content
  return page(items, {
    resource: halFor(content),
    path,
    query,
    number,
    size,
    maxOffset: MAX_OFFSET,
    context: contextFor(content, context),
    ...(totalElements !== undefined && { totalElements }),
    ...(cursors && { cursors: { ...cursors, first: '' } }),
  })
}

/** The context with what this content shows. */
export function contextFor({ fields, embedded }: ItemContent | PageContent, context: RenderContext): RenderContext {
  return fields || embedded ? { ...context, fields, embedded } : context
}

/** How the items of this content are rendered. */
export function halFor({ shape, embedded }: ItemContent | PageContent): CompiledCollection['hal'] {
  return embedded ? shape.embedding : shape.hal
}
