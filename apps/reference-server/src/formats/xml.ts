import { toXml } from '@svc/hal/xml'
import type { Format } from './format.ts'
import { recordOf } from './json.ts'
import { contextFor, halFor, pageOf } from './page-of.ts'

/** XML with the names of JSON; a collection holds its items side by side, then `page`. */
export const xml: Format = {
  type: 'application/xml',
  parameters: '; charset=utf-8',
  isPure: true,
  kinds: ['item', 'page', 'record', 'none'],
  encode(content, context) {
    if (content.kind === 'record') return toXml(recordOf(content, context), { root: content.name })
    const { collection } = content.shape
    if (content.kind === 'item')
      return toXml(halFor(content).render(content.item, contextFor(content, context)), { root: collection.item })
    return toXml(pageOf(content, context).render('plain'), { root: collection.name, item: collection.item })
  },
}

/** The same by its other name, the only one that many XML clients send (RFC 7303 §9.2). */
export const textXml: Format = { ...xml, type: 'text/xml' }
