import { failure } from '../failures.ts'
import { readXml } from '../representations/read-xml.ts'
import type { Fields } from '../resources/define.ts'
import type { Call } from './call.ts'
import { parseJson } from './parse-json.ts'

/** Media types that collections read. */
export const BODY_TYPES = ['application/json', 'application/xml'] as const

/** The body of a request as a value. XML has no types of its own: those of the fields are used. */
export function readValue({ body, bodyType }: Call, fields: Fields, root: string): unknown {
  if (body.length === 0) throw failure('MISSING_BODY')
  return bodyType.endsWith('xml') ? readXml(body, fields, root) : parseJson(body)
}
