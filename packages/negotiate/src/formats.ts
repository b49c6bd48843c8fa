import { mediaType } from './choose.ts'
import type { HeaderSource } from './header-source.ts'
import { type NotAcceptableError, notAcceptable } from './not-acceptable.ts'
import type { Representation } from './representation.ts'

/** The representation in the format that the client likes best; the failure when it accepts none of them. */
export function chooseFormat(
  source: HeaderSource,
  representation: Representation,
  formats: NonNullable<Representation['formats']>,
): Representation | NotAcceptableError {
  const types = Object.keys(formats)
  const type = mediaType(source, types)
  if (type === undefined) return notAcceptable(types)
  return { ...representation, type, body: formats[type], vary: ['Accept', ...(representation.vary ?? [])] }
}
