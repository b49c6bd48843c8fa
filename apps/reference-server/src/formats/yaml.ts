import { stringify } from 'yaml'
import type { Format } from './format.ts'
import { recordOf } from './json.ts'

const texts = new WeakMap<object, string>()

/** The OpenAPI document as YAML (RFC 9512). A document is written once: it takes longer than a request may. */
export const yaml: Format = {
  type: 'application/yaml',
  parameters: '',
  kinds: ['record'],
  records: ['openapi', 'openapi-yaml'],
  encode(content, context) {
    if (content.kind !== 'record') throw new TypeError('only a record is written as YAML')
    const text = texts.get(content.value) ?? stringify(recordOf(content, context), { aliasDuplicateObjects: false })
    texts.set(content.value, text)
    return text
  },
}

/** The same, preferred to JSON by clients that accept both. */
export const preferredYaml: Format = { ...yaml, records: ['openapi-yaml'] }
