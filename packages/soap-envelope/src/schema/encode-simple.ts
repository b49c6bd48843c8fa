import { escapeText } from '../../../internal/xml-escape.ts'
import { isFixedText } from './decode-simple.ts'
import type { ElementDeclaration } from './model.ts'
import type { NamespaceScope, SimpleType } from './simple-type.ts'
import type { TypeTable } from './type-table.ts'

/**
 * State of the writing of one message: the types, and the path for the message of an error.
 */
export interface Writing extends NamespaceScope {
  readonly table: TypeTable
  readonly path: (string | number)[]
  /** Namespaces that values name and that the table has no prefix for; most messages have none. */
  extra: Map<string, string> | undefined
}

/** Writes the text of an element. */
export function encodeText(
  value: unknown,
  type: SimpleType,
  writing: Writing,
  { mediaType, fixed }: Partial<Pick<ElementDeclaration, 'mediaType' | 'fixed'>> = {},
): string {
  // Facets of the type hold for an attachment too.
  const include = type.isBase64 && value instanceof Uint8Array ? writing.attach?.(value, mediaType) : undefined
  if (include !== undefined && type.name === 'base64Binary') return include
  const text = type.format(value, writing)
  if (typeof text !== 'string') throw mismatch(writing, text.reason)
  if (include !== undefined) return include
  if (fixed !== undefined && !isFixedText(text, fixed, type)) throw mismatch(writing, 'does not have the fixed value')
  return type.plain ? text : escapeText(text)
}

/** The error of a value that does not fit, with its path. */
export function mismatch({ path }: Writing, reason: string): TypeError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return new TypeError(`soap-envelope: ${steps.slice(1)} ${reason}`)
}
