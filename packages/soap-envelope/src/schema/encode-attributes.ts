import { escapeAttribute } from '../../../internal/xml-escape.ts'
import type { XmlAttribute } from '../xml/element.ts'
import { isLocalName, XML } from '../xml/names.ts'
import { isFixedText } from './decode-simple.ts'
import { mismatch, type Writing } from './encode-simple.ts'
import { findContentTypeKey, isMediaType } from './media-type.ts'
import type { ComplexType, ElementDeclaration, Wildcard } from './model.ts'
import { Invalid } from './simple-type.ts'

type Values = Readonly<Record<string, unknown>>

/** Writes the attributes of an element, each with a space in front. */
export function encodeAttributes(value: Values, type: ComplexType, writing: Writing): string {
  let out = ''
  for (const use of type.attributes) {
    const attributeValue = value[use.key] ?? (use.required ? use.fixed : undefined)
    if (attributeValue === undefined) {
      if (use.required) throw mismatch(writing, `has no ${use.key}`)
      continue
    }
    const text = use.type.format(attributeValue, writing)
    if (text instanceof Invalid) throw mismatch(writing, `has an ${use.key} that ${text.reason}`)
    if (use.fixed !== undefined && !isFixedText(text, use.fixed, use.type))
      throw mismatch(writing, `has an ${use.key} without its fixed value`)
    out += ` ${use.tag}="${use.type.plain ? text : escapeAttribute(text)}"`
  }
  return type.anyAttribute === undefined ? out : out + encodeOthers(value['@any'], type.anyAttribute, writing)
}

/** The attributes that a wildcard lets in: `{ uri, local, value }` each. */
function encodeOthers(others: unknown, wildcard: Wildcard, writing: Writing): string {
  if (others === undefined) return ''
  if (!Array.isArray(others)) throw mismatch(writing, 'has an @any that is not an array')
  return others
    .map(({ uri, local, value }: Partial<XmlAttribute>) => {
      const isText = typeof uri === 'string' && typeof local === 'string' && typeof value === 'string'
      if (!isText || !isLocalName(local) || local === 'xmlns' || !wildcard.allows(uri))
        throw mismatch(writing, 'has an attribute in @any that is not allowed here')
      const name = uri === '' ? local : `${uri === XML ? 'xml' : writing.prefixFor(uri)}:${local}`
      return ` ${name}="${escapeAttribute(value)}"`
    })
    .join('')
}

/**
 * Returns the media type that a value names by its attribute `xmime:contentType`, or that of its
 * declaration.
 */
export function findMediaType(
  value: Values,
  type: ComplexType,
  declaration: ElementDeclaration,
  writing: Writing,
): string | undefined {
  const key = writing.attach && findContentTypeKey(type)
  const named = key === undefined ? undefined : value[key]
  if (typeof named !== 'string') return declaration.mediaType
  if (!isMediaType(named)) throw mismatch(writing, `has an ${key} that is not a media type`)
  return named
}
