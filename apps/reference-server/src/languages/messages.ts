import { de } from './de.ts'
import { detailIn } from './details.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

/** Texts of failures by their codes; what a catalogue has not stays in English, where it says most. */
export type Messages = Readonly<Record<string, string>>

const catalogues: Readonly<Record<string, Messages>> = { de, fr, es }

/** The text of a code in a language, with the limits that its `detail` names; `undefined`: the English one is used. */
export function messageIn(
  code: string,
  language: string,
  { detail }: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const catalogue = catalogues[language]
  if (!catalogue) return undefined
  const own = typeof detail === 'string' ? detailIn(detail, language) : undefined
  return own ?? (Object.hasOwn(catalogue, code) ? catalogue[code] : undefined)
}
