import { type Page, page } from '@svc/hal'
import type { PageContent } from '../resource/result.ts'
import type { RenderContext } from '../resource/shape.ts'
import type { Item } from '../resources/define.ts'

const WINDOW = 10_000

/** The page that @svc/hal makes of a page of ours. */
export function pageOf(content: PageContent, context: RenderContext): Page<Item> {
  const { shape, items, path, query, number, size, totalElements } = content
  return page(items, {
    of: shape.hal,
    path,
    query,
    number,
    size,
    window: WINDOW,
    context: { ...context, fields: content.fields },
    ...(totalElements !== undefined && { totalElements }),
  })
}

/** The context for one item. */
export function contextFor(fields: ReadonlySet<string> | undefined, context: RenderContext): RenderContext {
  return fields ? { ...context, fields } : context
}
