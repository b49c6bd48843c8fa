import { failure } from '../messages/errors.ts'
import type { ActionContext } from './action-context.ts'
import type { Fields } from './define.ts'
import { parseJson } from './parse-json.ts'
import { readXml } from './read-xml.ts'

/** Documents of HAL clients: what they send back is JSON with links, which are ignored. */
export const HAL_TYPES = ['application/hal+json', 'application/prs.hal-forms+json'] as const

/** Media types that collections read. `text/xml` is the same as `application/xml` (RFC 7303 §9.2). */
export const BODY_TYPES = ['application/json', ...HAL_TYPES, 'application/xml', 'text/xml'] as const

/** The body of a request as a value. XML has no types of its own: those of the fields are used. */
export function readValue({ body, bodyType }: ActionContext, fields: Fields, root: string): unknown {
  if (body.length === 0) throw failure('MISSING_BODY')
  return bodyType.endsWith('xml') ? readXml(body, fields, root) : parseJson(body)
}
