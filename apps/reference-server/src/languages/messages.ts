import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

/** Texts of failures by their codes; what a catalogue has not stays in English, where it says most. */
export type Messages = Readonly<Record<string, string>>

const catalogues: Readonly<Record<string, Messages>> = { de, fr, es }

/** The text of a code in a language; `undefined`: the English one is used. */
export function messageIn(code: string, language: string): string | undefined {
  const catalogue = catalogues[language]
  return catalogue && Object.hasOwn(catalogue, code) ? catalogue[code] : undefined
}
