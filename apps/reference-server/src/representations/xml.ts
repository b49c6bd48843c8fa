import { toXml } from '@svc/hal/xml'
import type { Format } from './format.ts'
import { recordOf } from './json.ts'
import { contextFor, pageOf } from './page-of.ts'

/** XML with the names of JSON; a collection holds its items side by side, then `page`. */
export const xml: Format = {
  type: 'application/xml',
  parameters: '; charset=utf-8',
  kinds: ['item', 'page', 'record', 'none'],
  encode(content, context) {
    if (content.kind === 'record') return toXml(recordOf(content, context), { root: content.name })
    const { collection, hal } = content.shape
    if (content.kind === 'item')
      return toXml(hal.render(content.item, contextFor(content.fields, context)), { root: collection.item })
    return toXml(pageOf(content, context).render('plain'), { root: collection.name, item: collection.item })
  },
}
